-- A ledger in PostgreSQL: three tables that only grow. Made once, by the owner of the database. Stations read two of
-- them, and append with the function in postgresql_append.sql, beside the guard that an entry only follows the last.
-- Every key begins with the tournament, and every table is partitioned by it: no key spans two tournaments.

CREATE TABLE stored_events (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
) PARTITION BY HASH (originator_id);

CREATE TABLE merkle_tree (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    nodes bytea NOT NULL,
    root bytea NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
) PARTITION BY HASH (originator_id);

CREATE TABLE sealed_secrets (
    originator_id uuid PRIMARY KEY,
    secret bytea NOT NULL
) PARTITION BY HASH (originator_id);

CREATE FUNCTION ledger_never() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a ledger is append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- A statement can name a partition. The guard of its table is then not asked, so each partition has its own.
DO $$
DECLARE
    guarded text;
    guard text := 'CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON %s
        FOR EACH STATEMENT EXECUTE FUNCTION ledger_never()';
BEGIN
    FOREACH guarded IN ARRAY ARRAY['stored_events', 'merkle_tree', 'sealed_secrets'] LOOP
        EXECUTE format(guard, guarded);
        FOR number IN 0..7 LOOP
            EXECUTE format('CREATE TABLE %1$s_%2$s PARTITION OF %1$s FOR VALUES WITH (MODULUS 8, REMAINDER %2$s)',
                guarded, number);
            EXECUTE format(guard, guarded || '_' || number);
        END LOOP;
    END LOOP;
END $$;
