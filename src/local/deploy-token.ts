import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../kernel/errors.ts'
import { ensureToken } from './dev-token.ts'
import { callNode } from './rpc.ts'

const MAX_TRIES = 60
const RETRY_WAIT_MS = 500

/**
 * `node src/local/deploy-token.ts http://anvil:8545`: deploys the test token on an external
 * development chain (docker-compose.yml), at the same address as on the embedded one.
 */
const deployToken = async (url: string): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      // A development node's answer: its unlocked accounts.
      await ensureToken(url, (await callNode(url, 'eth_accounts')) as string[])
      return
    } catch (error) {
      if (attempt >= MAX_TRIES) throw error
      await sleep(RETRY_WAIT_MS)
    }
  }
}

if (import.meta.main) {
  try {
    await deployToken(process.argv[2] ?? 'http://127.0.0.1:8545')
    console.log('The development chain has the test token.')
  } catch (error) {
    console.error(messageOf(error))
    process.exitCode = 1
  }
}
