import { selectors } from '../../contracts-abi/index.ts'
import { ChainError } from '../../src/chain/index.ts'
import { clearWrongSettings, readNodeFaults } from '../../src/domain/blocks/index.ts'
import { needsProof, readAssets, storeAssets } from '../../src/domain/service/index.ts'
import { StartError } from '../../src/kernel/errors.ts'
import type { Asset } from '../../src/kernel/money/assets.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'
import { storeProblem } from './sync-chain.ts'

type Proof = Pick<ChainSync, 'ctx' | 'chain' | 'client'>

/**
 * Proves the chain id and the decimals of each token by a quorum of nodes, and stores the assets.
 * Settings that the chain contradicts are stored with the name of this worker, and halt the chain
 * if no other worker has its lease. `proven` resolves after the proof.
 */
export const createProveChainJob = (proof: Proof): Job & { proven: Promise<void> } => {
  const { ctx, chain, client } = proof
  const { promise: proven, resolve } = Promise.withResolvers<void>()

  let isFirst = true
  const report = (isWrong: boolean) =>
    ctx.metrics.gauge('fundproof_chain_settings_wrong', { chain: chain.id }, isWrong ? 1 : 0)

  const pass = async (signal: AbortSignal): Promise<void> => {
    if (isFirst) client.distrust(await readNodeFaults(ctx, chain.id).catch(() => ({})))
    isFirst = false
    try {
      await proveChain(proof)
      await clearWrongSettings(ctx, chain.id)
    } catch (error) {
      if (signal.aborted) throw error
      const isOfSettings =
        error instanceof StartError || (error instanceof ChainError && error.code === 'wrong_chain')
      report(isOfSettings)
      await storeProblem(proof, error, { isOfSettings })
      throw error
    }
    report(false)
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
  const assets = ctx.settings.assets.all.filter(({ chainId }) => chainId === chain.id)
  const stored = new Map<string, Asset>()
  await readAssets(ctx.sql, stored)
  const tokens = assets.filter((asset) => needsProof(asset, stored))
  const calls = tokens.map(({ address }) => ({ to: address ?? '', data: selectors.decimals }))
  const answers = await client.callAt(latest, calls)
  for (const [index, { id, symbol, address, decimals }] of tokens.entries()) {
    const answer = answers[index] ?? '0x'
    if (answers[index] === null && stored.get(id)?.decimals === decimals) {
      // The decimals were proven before, and a contract that reverts must not stop other assets.
      ctx.log.error({ symbol, address }, 'decimals() reverts: the stored value stays')
      continue
    }
    const real = answer.length < 66 ? 'none' : BigInt(answer.slice(0, 66))
    if (real === BigInt(decimals)) continue
    throw new StartError(
      `Wrong setting: CHAINS gives ${symbol} (${address}) of chain ${chain.id} ${decimals} decimals, and its contract says ${real}.`,
    )
  }
  await storeAssets(ctx.pool, assets)
}
