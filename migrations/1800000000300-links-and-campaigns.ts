import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links and campaigns, the owners of codes, and the health of destinations. */
export class LinksAndCampaigns1800000000300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // An immutable array_to_string for text; Postgres does not declare it so, because it is not for every type.
    await queryRunner.query(`
      CREATE FUNCTION link_tags_text(tags text[]) RETURNS text
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
        BEGIN RETURN array_to_string(tags, E'\\n'); END
      $$`);
    await queryRunner.query(trackedLinks('links', '', `lower((code || E'\\n' || original_url) COLLATE "C")`));
    await queryRunner.query(`
      CREATE INDEX links_ad_page_idx ON links (organization_id, created_at DESC, id DESC)
        WHERE deleted_at IS NULL AND show_ad_page;
      CREATE INDEX links_campaign_idx ON links (organization_id, utm_campaign) INCLUDE (archived)
        WHERE deleted_at IS NULL AND utm_campaign IS NOT NULL;
      CREATE INDEX links_domains_idx ON links (organization_id, id) INCLUDE (domain_id) WHERE domain_id <> 0;
      CREATE INDEX links_expiry_idx ON links (organization_id, expires_at) INCLUDE (archived)
        WHERE deleted_at IS NULL AND expires_at IS NOT NULL;
      CREATE INDEX links_titles_idx
        ON links USING gin (organization_id, lower(title) gin_trgm_ops) WITH (gin_pending_list_limit = 1024)
        WHERE deleted_at IS NULL AND title IS NOT NULL`);
    // The service folds names of campaigns, because lower() depends on the server's locale.
    const named = `
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
        folded_name text NOT NULL,
        username text,`;
    await queryRunner.query(
      trackedLinks('campaigns', named, `lower(code COLLATE "C") || E'\\n' || folded_name`),
    );
    // Removes a tie to an app that has been deleted concurrently, and records former apps, so that published URLs
    // /<appPath>/<code> keep working.
    await queryRunner.query(`
      CREATE FUNCTION keep_app_ties() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          former bigint := coalesce(NEW.ios_app_id, NEW.android_app_id);
          ios_before bigint;
          android_before bigint;
        BEGIN
          IF TG_OP = 'UPDATE' THEN
            former := coalesce(OLD.ios_app_id, OLD.android_app_id);
            ios_before := OLD.ios_app_id;
            android_before := OLD.android_app_id;
          END IF;
          IF NEW.ios_app_id <> coalesce(ios_before, 0) AND NOT app_lives(NEW.ios_app_id) THEN
            NEW.ios_app_id := NULL;
            NEW.ios_deep_link_path := NULL;
          END IF;
          IF NEW.android_app_id <> coalesce(android_before, 0) AND NOT app_lives(NEW.android_app_id) THEN
            NEW.android_app_id := NULL;
            NEW.android_deep_link_path := NULL;
          END IF;
          IF former IS DISTINCT FROM coalesce(NEW.ios_app_id, NEW.android_app_id)
             AND former <> ALL (NEW.former_app_ids) THEN
            NEW.former_app_ids := NEW.former_app_ids || former;
          END IF;
          RETURN NEW;
        END
      $$`);
    // The owner of a code, current or former. Domain and code are one column, by which the table is distributed: "1/Sale",
    // or "1~sale" on a domain without case. In collation C, those of one domain are a range of the index.
    await queryRunner.query(`
      CREATE TABLE addresses (
        address text COLLATE "C" NOT NULL,
        kind smallint NOT NULL,
        organization_id bigint NOT NULL,
        tracked_link_id bigint NOT NULL,
        PRIMARY KEY (address, kind)
      )`);
    // A code that a link or campaign had before it got another alias.
    await queryRunner.query(`
      CREATE TABLE former_codes (
        kind smallint NOT NULL,
        domain_id bigint NOT NULL,
        code text NOT NULL,
        tracked_link_id bigint NOT NULL,
        organization_id bigint NOT NULL REFERENCES organizations,
        is_alias boolean NOT NULL, -- chosen by the organization: only then may another have it once it leads nowhere
        leads boolean NOT NULL, -- still leads to the link or campaign
        created_at timestamptz NOT NULL,
        PRIMARY KEY (kind, domain_id, code, organization_id)
      );
      CREATE INDEX former_codes_search_idx ON former_codes (organization_id, kind, lower(code))`);
    // A due fetch of Open Graph fields. Not columns of links, which have many indexes to update.
    await queryRunner.query(`
      CREATE TABLE og_fetches (
        kind smallint NOT NULL,
        tracked_link_id bigint NOT NULL,
        organization_id bigint NOT NULL REFERENCES organizations,
        due_at timestamptz NOT NULL, -- next attempt
        tries smallint NOT NULL DEFAULT 0, -- attempts begun
        PRIMARY KEY (kind, tracked_link_id, organization_id)
      );
      CREATE INDEX og_fetches_exhausted_idx ON og_fetches (due_at) WHERE tries >= 3;
      CREATE INDEX og_fetches_turns_idx ON og_fetches (organization_id, due_at) WHERE tries < 3`);
    // Health of the destinations of a link or campaign. Triggers insert, reset and delete the rows, which covers every
    // way in which a link changes.
    await queryRunner.query(`
      CREATE TABLE link_health (
        kind smallint NOT NULL,
        tracked_link_id bigint NOT NULL,
        organization_id bigint NOT NULL,
        status text NOT NULL DEFAULT 'unknown' CHECK (status IN ('unknown', 'healthy', 'unhealthy')),
        problem text,
        failed_at timestamptz[] NOT NULL DEFAULT '{}', -- failures of the last three days since the last success
        checked_at timestamptz,
        next_check_at timestamptz NOT NULL,
        generation integer NOT NULL DEFAULT 0, -- counts changes of the destinations: a check that began before one is dropped
        unhealthy_since timestamptz,
        PRIMARY KEY (kind, tracked_link_id, organization_id)
      ) WITH (fillfactor = 80);
      CREATE INDEX link_health_due_idx ON link_health (next_check_at);
      CREATE INDEX link_health_unhealthy_idx ON link_health (organization_id, kind, tracked_link_id)
        WHERE status = 'unhealthy'`);
    // The time of the week for a destination, so that links with the same destination are due together.
    await queryRunner.query(`
      CREATE FUNCTION link_health_slot(url text, after timestamptz) RETURNS timestamptz
        LANGUAGE sql STABLE AS $$
        SELECT date_trunc('second', after) + make_interval(secs => ((
                 ('x' || left(md5(url), 8))::bit(32)::bigint - floor(extract(epoch FROM after))::bigint
               ) % 604800 + 604800) % 604800)
      $$`);
    // Up to 100 links of one statement are checked at once; more, such as an import, are spread over the week.
    await queryRunner.query(`
      CREATE FUNCTION link_health_insert() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          spread CONSTANT boolean := (SELECT count(*) > 100 FROM changed);
          added record;
        BEGIN
          FOR added IN
            SELECT organization_id, array_agg(id) AS ids,
                   array_agg(CASE WHEN spread THEN link_health_slot(original_url, updated_at)
                                  ELSE updated_at END) AS times
              FROM changed WHERE deleted_at IS NULL GROUP BY organization_id
          LOOP
            INSERT INTO link_health (kind, tracked_link_id, organization_id, next_check_at)
            SELECT TG_ARGV[0]::smallint, a.id, added.organization_id, a.next_check_at
              FROM unnest(added.ids, added.times) AS a (id, next_check_at);
          END LOOP;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE FUNCTION link_health_update() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.deleted_at IS NOT NULL THEN
            DELETE FROM link_health
             WHERE kind = TG_ARGV[0]::smallint AND tracked_link_id = NEW.id
               AND organization_id = NEW.organization_id;
          ELSE
            UPDATE link_health
               SET status = 'unknown', problem = NULL, failed_at = '{}', checked_at = NULL,
                   next_check_at = NEW.updated_at, generation = generation + 1
             WHERE kind = TG_ARGV[0]::smallint AND tracked_link_id = NEW.id
               AND organization_id = NEW.organization_id;
          END IF;
          RETURN NULL;
        END
      $$`);
    // The first slot that is free or that this transaction has already locked; the lock ends with the transaction.
    await queryRunner.query(`
      CREATE FUNCTION contact_count_slot() RETURNS integer LANGUAGE sql AS $$
        SELECT slot FROM (SELECT generate_series(0, 100000) AS slot) AS slots
         WHERE pg_try_advisory_xact_lock(7234010, slot) LIMIT 1
      $$`);
    // The number of links of an organization is the sum over its slots, which triggers maintain.
    await queryRunner.query(`
      CREATE TABLE link_counts (
        organization_id bigint NOT NULL,
        slot integer NOT NULL,
        links bigint NOT NULL,
        PRIMARY KEY (organization_id, slot)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(countLinks('insert', '+1'));
    await queryRunner.query(countLinks('delete', '-1'));
    // A row trigger, because only such a trigger can ignore updates of other columns, as every visit makes them.
    await queryRunner.query(`
      CREATE FUNCTION links_count_update() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO link_counts AS known (organization_id, slot, links)
          VALUES (NEW.organization_id, contact_count_slot(), CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END)
          ON CONFLICT (organization_id, slot) DO UPDATE SET links = known.links + excluded.links;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER links_count_delete AFTER DELETE ON links REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION links_count_delete();
      CREATE TRIGGER links_count_insert AFTER INSERT ON links REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION links_count_insert();
      CREATE TRIGGER links_count_update AFTER UPDATE OF deleted_at ON links
        FOR EACH ROW WHEN ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))
        EXECUTE FUNCTION links_count_update()`);
    await queryRunner.query(triggersOf('links', 1));
    await queryRunner.query(triggersOf('campaigns', 2));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE link_counts, link_health, og_fetches, former_codes, addresses, campaigns, links;
      DROP FUNCTION links_count_update, links_count_delete, links_count_insert, contact_count_slot,
        link_health_update, link_health_insert, link_health_slot, keep_app_ties, link_tags_text`);
  }
}

/** Settings in which links to the same destination usually differ, hashed in an index for `findIfExists`. */
const SETTINGS = [
  'original_url',
  'title',
  'external_id',
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'ios_deep_link_path',
  'android_deep_link_path',
]
  .map((column) => `coalesce(${column}, '')`)
  .join(` || E'\\n' || `);

/** A statement trigger's function. It reads the transition tables first, as Citus requires. */
const countLinks = (event: string, one: string) => `
  CREATE FUNCTION links_count_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      own_slot integer;
      changes record;
    BEGIN
      FOR changes IN
        SELECT organization_id, array_agg(n) AS n
          FROM (SELECT organization_id, sum(n) AS n
                  FROM (SELECT organization_id, ${one} AS n FROM changed WHERE deleted_at IS NULL) AS r
                 GROUP BY organization_id HAVING sum(n) <> 0) AS changed
         GROUP BY organization_id
      LOOP
        own_slot := contact_count_slot();
        INSERT INTO link_counts AS known (organization_id, slot, links)
        SELECT changes.organization_id, own_slot, changed.* FROM unnest(changes.n) AS changed
        ON CONFLICT (organization_id, slot) DO UPDATE SET links = known.links + excluded.links;
      END LOOP;
      RETURN NULL;
    END $$`;

/**
 * The table of links or campaigns. domain_id 0 is the default short domain. search_text is searched by keyword:
 * collation C folds ASCII only, which covers codes and most URLs. tag_keys are the tags in lower case. targeting and
 * variants are json rather than jsonb, because they are returned as they were sent. Deleted rows keep their code until
 * their organization reuses it.
 * @param own columns that only this table has
 * @param searchText expression
 */
const trackedLinks = (table: string, own: string, searchText: string) => `
      CREATE TABLE ${table} (
        id bigint GENERATED ALWAYS AS IDENTITY,
        organization_id bigint NOT NULL REFERENCES organizations,
        domain_id bigint NOT NULL DEFAULT 0,${own}
        code text NOT NULL CHECK (length(code) BETWEEN 1 AND 255),
        is_alias boolean NOT NULL DEFAULT false,
        code_released boolean NOT NULL DEFAULT false,
        former_codes text[] NOT NULL DEFAULT '{}',
        external_id text,
        original_url text NOT NULL,
        title text,
        show_ad_page boolean NOT NULL DEFAULT false,
        og_title text,
        og_description text,
        og_image_url text,
        og_auto smallint NOT NULL DEFAULT 0,
        ios_app_id bigint REFERENCES apps,
        android_app_id bigint REFERENCES apps,
        former_app_ids bigint[] NOT NULL DEFAULT '{}',
        ios_deep_link_path text,
        android_deep_link_path text,
        mobile_target_url text,
        utm_source text,
        utm_medium text,
        utm_term text,
        utm_content text,
        utm_campaign text,
        goal_type text,
        append_click_id boolean,
        deduplication_window_minutes integer CHECK (deduplication_window_minutes > 0),
        expires_at timestamptz,
        expired_url text,
        starts_at timestamptz,
        not_started_url text,
        enabled boolean NOT NULL DEFAULT true,
        archived boolean NOT NULL DEFAULT false,
        forward_query boolean NOT NULL DEFAULT true,
        tags text[] NOT NULL DEFAULT '{}',
        tag_keys text[] NOT NULL DEFAULT '{}',
        password_hash text,
        max_clicks integer CHECK (max_clicks > 0),
        used_clicks integer NOT NULL DEFAULT 0 CHECK (used_clicks >= 0),
        imported_clicks bigint NOT NULL DEFAULT 0 CHECK (imported_clicks >= 0),
        targeting json,
        variants json,
        disabled_reason text,
        created_by bigint,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        deleted_at timestamptz,
        search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${searchText}) STORED,
        PRIMARY KEY (id, organization_id),
        CHECK (NOT code_released OR (is_alias AND deleted_at IS NOT NULL))
      );
      CREATE INDEX ${table}_android_app_idx ON ${table} (android_app_id) WHERE android_app_id IS NOT NULL;
      CREATE UNIQUE INDEX ${table}_domain_code_key ON ${table} (domain_id, code, organization_id)
        WHERE NOT code_released;
      CREATE UNIQUE INDEX ${table}_external_id_key ON ${table} (organization_id, external_id)
        WHERE external_id IS NOT NULL AND deleted_at IS NULL;
      CREATE INDEX ${table}_ios_app_idx ON ${table} (ios_app_id) WHERE ios_app_id IS NOT NULL;
      CREATE INDEX ${table}_listed_idx ON ${table} (organization_id, created_at DESC, id DESC) INCLUDE (archived)
        WHERE deleted_at IS NULL;
      CREATE INDEX ${table}_many_tags_idx ON ${table} (organization_id, id) WHERE cardinality(tag_keys) > 8;
      CREATE INDEX ${table}_search_idx
        ON ${table} USING gin (organization_id, search_text gin_trgm_ops) WITH (gin_pending_list_limit = 1024)
        WHERE deleted_at IS NULL;
      CREATE INDEX ${table}_settings_idx
        ON ${table} (organization_id, hashtextextended(${SETTINGS}, 0))
        WHERE deleted_at IS NULL;
      CREATE INDEX ${table}_tag_texts_idx
        ON ${table} USING gin (organization_id, link_tags_text(tag_keys) gin_trgm_ops) WITH (gin_pending_list_limit = 1024)
        WHERE deleted_at IS NULL AND tag_keys <> '{}';
      CREATE INDEX ${table}_tagged_idx ON ${table} (organization_id, id) INCLUDE (tag_keys)
        WHERE tag_keys <> '{}' AND cardinality(tag_keys) <= 8;
      CREATE INDEX ${table}_tags_idx
        ON ${table} USING gin (organization_id, tag_keys) WITH (gin_pending_list_limit = 1024)
        WHERE deleted_at IS NULL AND tag_keys <> '{}'`;

/** Ties to apps and the health of destinations. @param kind the number of links or campaigns in other tables */
const triggersOf = (table: string, kind: number) => `
      CREATE TRIGGER ${table}_app_ties BEFORE UPDATE OF ios_app_id, android_app_id ON ${table}
        FOR EACH ROW WHEN (old.ios_app_id IS DISTINCT FROM new.ios_app_id
                           OR old.android_app_id IS DISTINCT FROM new.android_app_id)
        EXECUTE FUNCTION keep_app_ties();
      CREATE TRIGGER ${table}_new_app_ties BEFORE INSERT ON ${table}
        FOR EACH ROW WHEN (new.ios_app_id IS NOT NULL OR new.android_app_id IS NOT NULL)
        EXECUTE FUNCTION keep_app_ties();
      CREATE TRIGGER ${table}_health_insert AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION link_health_insert('${kind}');
      CREATE TRIGGER ${table}_health_update AFTER UPDATE OF deleted_at, original_url, mobile_target_url, targeting, variants
        ON ${table}
        FOR EACH ROW WHEN ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)
                           OR old.original_url IS DISTINCT FROM new.original_url
                           OR old.mobile_target_url IS DISTINCT FROM new.mobile_target_url
                           OR old.targeting::text IS DISTINCT FROM new.targeting::text
                           OR old.variants::text IS DISTINCT FROM new.variants::text)
        EXECUTE FUNCTION link_health_update('${kind}')`;
