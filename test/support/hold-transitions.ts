import postgres from 'postgres'
import { TRANSITIONS } from '../../src/domain/donations/lifecycle.ts'

const PAIRS = Object.values(TRANSITIONS).flatMap(({ from, to }) =>
  from.map((status) => `('${status}', '${to}')`),
)

/**
 * Makes a database refuse all changes of a donation's status that the table of transitions lacks.
 */
export const holdTransitions = async (url: string): Promise<void> => {
  const owner = postgres(url, { max: 1, onnotice: () => {} })
  await owner.unsafe(`
    create function refuse_transition() returns trigger language plpgsql as $$
    begin raise 'no such transition of a donation: % to %', old.status, new.status; end $$;
    create trigger refuse_transition before update on donation for each row
    when (old.status <> new.status and (old.status, new.status) not in (${PAIRS.join(', ')}))
    execute function refuse_transition()`)
  await owner.end()
}
