-- The one way in for a station: it appends entries to a tournament that was opened, and the hashes are made here. It runs
-- with the rights of the owner, so a station needs no right to write to a table, and none to read a draw secret.

CREATE FUNCTION matchledger_append(tournament uuid, first bigint, topics text[], states bytea[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    size bigint := first - 1;
    hashed bigint;
    peaks bytea[] := '{}';  -- the roots of the full subtrees, largest first
    stop bigint := 0;
    completed bytea;  -- the hashes that an entry completes, its own first
    node bytea;
    below bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('matchledger ' || tournament, 0));
    IF size < 1 OR NOT EXISTS (SELECT FROM stored_events WHERE originator_id = tournament) THEN
        RAISE EXCEPTION 'permission denied: a station opens no tournament' USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO stored_events (originator_id, originator_version, topic, state)
        SELECT tournament, size + number, topic, state
        FROM unnest(topics, states) WITH ORDINALITY AS entries (topic, state, number) ORDER BY number;

    SELECT COALESCE(MAX(originator_version), 0) INTO hashed FROM merkle_tree WHERE originator_id = tournament;
    IF hashed != size THEN
        RAISE EXCEPTION 'the log has % entries and hashes for %: run verify', size, hashed;
    END IF;
    FOR height IN REVERSE 62..0 LOOP
        CONTINUE WHEN (size >> height) & 1 = 0;
        stop := stop + (1::bigint << height);
        SELECT substring(nodes FROM height * 32 + 1 FOR 32) INTO node
            FROM merkle_tree WHERE originator_id = tournament AND originator_version = stop;
        IF node IS NULL OR length(node) != 32 THEN
            RAISE EXCEPTION 'the hashes of entry % are missing: run verify', stop;
        END IF;
        peaks := peaks || node;
    END LOOP;

    FOR number IN 1..cardinality(topics) LOOP
        node := convert_to(topics[number], 'UTF8');
        node := sha256('\x00'::bytea || int8send(size + 1) || int2send(length(node)::smallint) || node || states[number]);
        completed := node;
        below := size;
        WHILE below & 1 = 1 LOOP
            node := sha256('\x01'::bytea || peaks[cardinality(peaks)] || node);
            completed := completed || node;
            peaks := trim_array(peaks, 1);
            below := below >> 1;
        END LOOP;
        peaks := peaks || node;
        size := size + 1;
        FOR peak IN REVERSE cardinality(peaks) - 1..1 LOOP
            node := sha256('\x01'::bytea || peaks[peak] || node);
        END LOOP;
        INSERT INTO merkle_tree VALUES (tournament, size, completed, node);
    END LOOP;
    PERFORM pg_notify('matchledger', tournament::text);
END $$;

-- Nothing that a station makes under the name of a table, an operator or a function is taken for ours.
DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION matchledger_append SET search_path = pg_catalog, %I, pg_temp', current_schema());
END $$;
REVOKE ALL ON FUNCTION matchledger_append FROM PUBLIC;
