import { hash, type Options, verify } from '@node-rs/argon2'
import { createGate } from './gate.ts'

/** Parameters of the OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * At most 2 hashes run and 64 wait. libuv has four threads for files, DNS and hashes, so two
 * threads stay free. A hash takes about 15 ms, so the last hash in the queue waits about 0.5 s.
 */
const RUNNING = 2
const WAITING = 64

/** A login of an unknown user checks this hash, so that it takes as long as another login. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$umZyNVY55fVhlXazWRxo2w$CMbSPYpi8xSfUeyKA0HjsP4mgs0+JsJ2syvWtR7SpqI'

/** @param parameters for new hashes; a stored hash contains its own parameters */
export const createPasswords = (parameters: Options = ARGON2ID) => {
  const gate = createGate(RUNNING, WAITING)
  return {
    /** Returns a PHC string of argon2id. Throws `unavailable` if too many hashes wait. */
    hash: (password: string): Promise<string> => gate(() => hash(normalised(password), parameters)),
    /** Checks a password. If `stored` is null, takes as long as usual and returns false. */
    verify: (stored: string | null, password: string): Promise<boolean> =>
      gate(async () => {
        const right = await verify(stored ?? NOBODY, normalised(password))
        return stored !== null && right
      }),
  }
}

/** The same password gives the same text on every keyboard (NIST SP 800-63B, section 3.1.1.2). */
const normalised = (password: string): string => password.normalize('NFKC')
