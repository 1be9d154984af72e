import { loadConfig } from '../config/config.ts'
import type { Context } from '../db/context.ts'
import { confirmDatabaseClock } from '../db/database-clock.ts'
import {
  changeRoles,
  endAllCredentials,
  ROLES,
  rotateSecret,
  rotateSigningKey,
} from '../domain/account/index.ts'
import { acknowledgeDifference, newestProven } from '../domain/blocks/index.ts'
import { parseSignedHead, rotateSealKey, startEpoch } from '../domain/books/index.ts'
import { StartError } from '../kernel/errors.ts'
import { createSecretBox } from '../kernel/ports/secrets.ts'
import { type Base, openCommandBase } from './base.ts'
import { command, readText } from './command.ts'

const USAGE = `Usage: npm run admin -- grant|revoke <email> [${ROLES.join('|')}]
       npm run admin -- rotate-signing-key [leaked]
       npm run admin -- rotate-seal-key
       npm run admin -- rotate-secret
       npm run admin -- confirm-clock
       npm run admin -- checkpoint <chain id>
       npm run admin -- acknowledge <difference id> "<reason>"
       npm run admin -- restored [<file with a signed head that was kept>|none]`

type Command = (ctx: Context, base: Base) => Promise<string>

/** Parses the arguments. Throws StartError if they are not valid. */
const commandOf = (words: readonly string[]): Command => {
  const [verb, email, name = 'admin', ...more] = words
  const all = words.join(' ')
  if (all === 'rotate-signing-key') return rotate({ endOld: false })
  if (all === 'rotate-signing-key leaked') return rotate({ endOld: true })
  if (all === 'rotate-seal-key') return rotateSeals
  if (all === 'rotate-secret') return rotateToSecret
  if (all === 'confirm-clock') return confirmClock
  if (verb === 'checkpoint' && words.length === 2) return showCheckpoint(Number(words[1]))
  if (verb === 'acknowledge' && words.length === 3) return acknowledge(words[1], words[2])
  if (verb === 'restored' && words.length <= 2) return (ctx) => confirmRestore(ctx, email)
  const role = ROLES.find((known) => known === name)
  if ((verb !== 'grant' && verb !== 'revoke') || !email || !role || more.length > 0) {
    throw new StartError(USAGE)
  }
  return async (ctx) => {
    const account = { email: email.trim().toLowerCase() }
    const { user } = await changeRoles(ctx, account, { [verb]: [role] })
    return `${user.email} is now: ${user.roles.join(', ') || 'donor and creator only'}.`
  }
}

const rotate =
  ({ endOld }: { endOld: boolean }): Command =>
  async (ctx) => {
    const [key] = await rotateSigningKey(ctx, { endOld })
    const old = endOld ? 'have ended: restart the API processes now' : 'are valid until they expire'
    return `New access tokens are signed with key ${key?.kid}.\nTokens of the old key ${old}.`
  }

const rotateSeals: Command = async (ctx) => {
  const { kid } = await rotateSealKey(ctx)
  return `From now on seals are signed with the key ${kid}.\n/.well-known/jwks.json names the last head of the old key.`
}

const rotateToSecret: Command = async (ctx, { places, config }) => {
  const { secretPrevious: previous } = config
  if (!previous) throw new StartError('SECRET_PREVIOUS must be SECRET before the change.')
  const secrets = createSecretBox(places.secret, previous)
  const { renewed, changedAt } = await rotateSecret({ ...ctx, secrets })
  if (!changedAt) {
    return `${renewed} stored texts are now encrypted with SECRET.\nSECRET_PREVIOUS is still needed: run this command again in two minutes.`
  }
  const day = new Date(changedAt.getTime() + 24 * 3_600_000).toISOString()
  return `SECRET opens all stored texts, and encrypts since ${changedAt.toISOString()}.\nRemove SECRET_PREVIOUS after ${day}, because mailed codes and repeated requests\nof the last day need it. If others know it, remove it now.`
}

const confirmClock: Command = async ({ sql }) => {
  const at = await confirmDatabaseClock(sql)
  return `The clock of the database is right: ${at?.toISOString()}. All processes trust it in a few seconds.`
}

const showCheckpoint =
  (chainId: number): Command =>
  async (ctx) => {
    const newest = await newestProven(ctx, chainId)
    if (!newest) {
      throw new StartError(
        `Nothing is proven on chain ${chainId}: it needs beacon and checkpoint in CHAINS.`,
      )
    }
    const { root, slot, blockNumber, verifiedAt, begin } = newest
    return `${root}
The beacon block of slot ${slot}, proven at ${verifiedAt.toISOString()}, with block ${blockNumber} of the chain.
Another installation can begin with this root for about two weeks, and a donor can compare it.
The check of a later donation can begin with the root of slot ${begin.slot}:
${begin.root}`
  }

const acknowledge =
  (id = '', reason = ''): Command =>
  async (ctx) => {
    await acknowledgeDifference(ctx, id, reason)
    return 'The difference stays listed, and raises no alert while it does not change.'
  }

const confirmRestore = async (ctx: Context, source = 'noticed'): Promise<string> => {
  const kept =
    source === 'noticed' || source === 'none' ? source : parseSignedHead(readText(source))
  const { key, lost } = await startEpoch(ctx, kept, endAllCredentials)
  const head = lost
    ? `The newest lost head is ${lost.seq} of campaign ${lost.campaignId}, signed at ${lost.sealedAt.toISOString()}.`
    : 'No lost head is known.'
  return `${head}
From now on seals are signed with the key ${key.kid}.
All sessions, tokens, API keys, mailed codes and claim links of guests have ended. Restart the API processes now: until then they may accept access tokens for 15 minutes more.
Passwords, roles, wallets and secrets of webhooks are those of the backup.
Payments of the lost time are read from the chain again. A payment counts if its donation or intent is in the backup, and is a deposit otherwise.`
}

/**
 * `npm run admin`: commands of operators, described in USAGE. Works on DATABASE_URL or on the
 * running embedded instance. Returns the exit code.
 */
export const run = command(USAGE, 1, async (words, env) => {
  const work = commandOf(words)
  const base = await openCommandBase(loadConfig(env))
  console.log(await work(base.systemContext, base).finally(() => base.stop()))
  return 0
})

if (import.meta.main) process.exitCode = await run(process.argv.slice(2))
