-- The one way in for a station: it appends entries to a tournament that was opened, and the hashes are made here. It runs
-- with the rights of the owner, so a station needs no right to write to a table, and none to read a draw secret. A
-- station calls it without a transaction around it: to append and to commit is then one message to the database.
-- Its search path has no schema in which a station could create anything, so every operator and function in it is
-- PostgreSQL's own. The tables are named with their schema. PostgreSQL would plan each statement anew for the one
-- partition that it reads, which takes a third of the function's time.
DO $$ BEGIN
    EXECUTE format($make$
CREATE OR REPLACE FUNCTION matchledger_append(tournament uuid, first bigint, topics text[], states bytea[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout = '30s' SET plan_cache_mode = force_generic_plan SET search_path = pg_catalog, pg_temp AS $append$
DECLARE
    size bigint := first - 1;
    recorded bigint;
    hashed bigint;
    peaks bytea[];  -- the roots of the full subtrees, largest first
    completed bytea;  -- the hashes that an entry completes, its own first
    node bytea;
    below bigint;
    kept bigint;
BEGIN
    FOR number IN 1..cardinality(topics) LOOP
        IF octet_length(states[number]) > 16 * 1024 * 1024 OR length(topics[number]) > 100 THEN
            RAISE EXCEPTION 'an entry has more than 16 MB' USING ERRCODE = 'program_limit_exceeded';
        END IF;
        PERFORM convert_from(states[number], 'UTF8');  -- what is no text ends here: no export could hold it
    END LOOP;
    PERFORM pg_advisory_xact_lock(hashtextextended('matchledger ' || tournament, 0));
    SELECT MAX(originator_version) INTO recorded FROM %1$I.stored_events WHERE originator_id = tournament;
    IF size < 1 OR recorded IS NULL THEN
        RAISE EXCEPTION 'permission denied: a station opens no tournament' USING ERRCODE = 'insufficient_privilege';
    ELSIF recorded != size THEN
        RAISE EXCEPTION 'another station was first' USING ERRCODE = 'unique_violation';
    END IF;
    INSERT INTO %1$I.stored_events (originator_id, originator_version, topic, state)
        SELECT tournament, size + number, topic, state
        FROM unnest(topics, states) WITH ORDINALITY AS entries (topic, state, number) ORDER BY number;
    GET DIAGNOSTICS kept = ROW_COUNT;  -- a trigger or rule of somebody else can leave rows out
    IF kept != cardinality(topics) THEN
        RAISE EXCEPTION 'the database did not keep entry %%, so nothing was recorded: run verify', first;
    END IF;

    SELECT COALESCE(MAX(originator_version), 0) INTO hashed FROM %1$I.merkle_tree WHERE originator_id = tournament;
    IF hashed != size THEN
        RAISE EXCEPTION 'the log has %% entries and hashes for %%: run verify', size, hashed;
    END IF;
    -- The last entry of a full subtree has its root among its nodes; each is read along the primary key.
    peaks := ARRAY(
        SELECT (SELECT substring(nodes FROM height * 32 + 1 FOR 32) FROM %1$I.merkle_tree
                WHERE originator_id = tournament AND originator_version = size >> height << height)
        FROM generate_series(62, 0, -1) AS height WHERE (size >> height) & 1 = 1 ORDER BY height DESC
    );
    below := size;
    FOR peak IN REVERSE cardinality(peaks)..1 LOOP
        IF length(peaks[peak]) IS DISTINCT FROM 32 THEN
            RAISE EXCEPTION 'the hashes of entry %% are missing: run verify', below;
        END IF;
        below := below & (below - 1);
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
        INSERT INTO %1$I.merkle_tree VALUES (tournament, size, completed, node);
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the database did not keep the hash of entry %%, so nothing was recorded: run verify', size;
        END IF;
    END LOOP;
END $append$
    $make$, current_schema());
END $$;

-- An entry follows the last one of its tournament, and a hash follows its entry. Rows that the same statement has inserted
-- before are seen, so a whole import passes row by row. Each table has its own query: one that is put together for the table
-- is planned each time. A row of a partition is checked by the name of its table.
DO $$ BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION ledger_gapless() RETURNS trigger LANGUAGE plpgsql AS $guard$
DECLARE
    last bigint;
BEGIN
    IF TG_ARGV[0] = ''stored_events'' THEN
        SELECT MAX(originator_version) INTO last FROM %1$I.stored_events WHERE originator_id = NEW.originator_id;
    ELSE
        SELECT MAX(originator_version) INTO last FROM %1$I.merkle_tree WHERE originator_id = NEW.originator_id;
        IF NOT EXISTS (SELECT FROM %1$I.stored_events
                WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version) THEN
            RAISE EXCEPTION ''a hash without an entry'' USING ERRCODE = ''foreign_key_violation'';
        END IF;
    END IF;
    IF NEW.originator_version != COALESCE(last, 0) + 1 THEN
        RAISE EXCEPTION ''another station was first'' USING ERRCODE = ''unique_violation'';
    END IF;
    RETURN NEW;
END $guard$', current_schema());
END $$;
CREATE OR REPLACE TRIGGER gapless BEFORE INSERT ON stored_events
    FOR EACH ROW EXECUTE FUNCTION ledger_gapless('stored_events');
CREATE OR REPLACE TRIGGER gapless BEFORE INSERT ON merkle_tree
    FOR EACH ROW EXECUTE FUNCTION ledger_gapless('merkle_tree');

REVOKE ALL ON FUNCTION matchledger_append FROM PUBLIC;
COMMENT ON FUNCTION matchledger_append IS 'matchledger 7';
