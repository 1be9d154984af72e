import { selectors } from '../../contracts-abi/index.ts'
import { ChainError } from '../../src/chain/index.ts'
import { storeAssets } from '../../src/domain/asset/index.ts'
import { haltForSettings, noteProblem } from '../../src/domain/chain/index.ts'
import { StartError } from '../../src/kernel/errors.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'
import { problemOf } from './sync-chain.ts'

type Proof = Pick<ChainSync, 'ctx' | 'chain' | 'client'>

/**
 * Proves the chain id and the decimals of each token by a quorum of nodes, and stores the assets.
 * Settings that the chain contradicts halt the chain. `proven` resolves after the proof.
 */
export const createProveChainJob = (proof: Proof): Job & { proven: Promise<void> } => {
  const { ctx, chain } = proof
  const { promise: proven, resolve } = Promise.withResolvers<void>()

  const pass = async (signal: AbortSignal): Promise<void> => {
    try {
      await proveChain(proof)
    } catch (error) {
      if (signal.aborted) throw error
      const isWrong =
        error instanceof StartError || (error instanceof ChainError && error.code === 'wrong_chain')
      await (isWrong ? haltForSettings : noteProblem)(ctx, chain.id, problemOf(error))
      throw error
    }
    resolve()
    // Ends the loop after this pass.
    void loop.stop()
  }

  const loop = createLoop({
    name: `prove-chain ${chain.id}`,
    run: pass,
    sweepMs: chain.pollIntervalMs,
    log: ctx.log,
    maxBackoffMs: Math.max(5_000, chain.pollIntervalMs),
  })
  return { ...loop, proven }
}

const proveChain = async ({ ctx, chain, client }: Proof): Promise<void> => {
  await client.assertChainId()
  const { latest } = await client.heads()
  const calls = chain.tokens.map(({ address }) => ({ to: address, data: selectors.decimals }))
  const answers = await client.callAt(latest, calls)
  chain.tokens.forEach(({ symbol, address, decimals }, index) => {
    const answer = answers[index] ?? '0x'
    const real = answer.length < 66 ? 'none' : BigInt(answer.slice(0, 66))
    if (real === BigInt(decimals)) return
    throw new StartError(
      `Wrong setting: CHAINS gives ${symbol} (${address}) of chain ${chain.id} ${decimals} decimals, and its contract says ${real}.`,
    )
  })
  const proven = ctx.settings.assets.all.filter(({ chainId }) => chainId === chain.id)
  await storeAssets(ctx.sql, proven)
}
