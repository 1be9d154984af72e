import postgres from 'postgres'

/** Moves the clock of one database, as a wrong answer of a time server does. */
export type ShiftedClock = { setAhead(ms: number): Promise<void>; end(): Promise<void> }

/** Replaces PostgreSQL's time functions for connections that are opened from now on. */
export const shiftDatabaseClock = async (url: string): Promise<ShiftedClock> => {
  const owner = postgres(url, { max: 1, onnotice: () => {} })
  const functions = ['clock_timestamp', 'statement_timestamp', 'now'].map(
    (name) => `
      create function shifted.${name}() returns timestamptz language sql as
      'select pg_catalog.${name}() + by from shifted.ahead';`,
  )
  await owner.unsafe(`
    create schema shifted;
    create table shifted.ahead (by interval not null);
    insert into shifted.ahead values ('0');
    grant usage on schema shifted to public;
    grant select on shifted.ahead to public;
    ${functions.join('')}
    alter database ${new URL(url).pathname.slice(1)} set search_path = shifted, pg_catalog, public`)
  return {
    async setAhead(ms) {
      await owner`update shifted.ahead set by = make_interval(secs => ${ms / 1_000})`
    },
    end: () => owner.end({ timeout: 1 }),
  }
}
