import type { ChainConfig } from '../../config/config.ts'
import { messageOf, StartError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/ports/log.ts'
import type { Metrics } from '../../kernel/ports/metrics.ts'
import { Refusal } from '../../verifier/bytes.ts'
import { NETWORKS, type Network, UnknownFork } from '../../verifier/consensus/index.ts'
import { ChainError } from '../errors.ts'
import { createNodeHealth, faultOf, type NodeStatus } from '../rpc/node-health.ts'
import { systemTiming } from '../rpc/timing.ts'
import { type BeaconFeed, createBeaconFeed } from './feed.ts'

/** A beacon node with the state of its health, which metrics and the log show like a node's. */
export type CommitteeFeed = {
  feed: BeaconFeed
  status(): NodeStatus
  /** Reads from the feed. Notes if it was away, false or late, and throws only other errors. */
  read(slotsBehind: () => Promise<number>): Promise<void>
}

type Options = { chain: ChainConfig; network: Network; log: Log; metrics: Metrics }

const COOLDOWN = { firstMs: 1_000, longestMs: 1_000 }
/** Final blocks are two to three epochs old. */
const LATE_EPOCHS = 5

export const createCommitteeFeeds = (options: Options): CommitteeFeed[] =>
  (options.chain.beacon ?? []).map((url) => createCommitteeFeed(url, options))

const createCommitteeFeed = (url: string, { chain, network, log, metrics }: Options) => {
  const feed = createBeaconFeed(url)
  const health = createNodeHealth({
    ...{ name: `beacon ${feed.name}`, chainId: chain.id, log, metrics },
    ...{ timing: systemTiming, cooldown: COOLDOWN },
  })
  return {
    feed,
    status: () => health.status(null),
    async read(slotsBehind: () => Promise<number>) {
      try {
        const behind = await slotsBehind()
        health.clearFault('exchange')
        health.clearFault('proof of finality')
        health.setLagging(behind > LATE_EPOCHS * network.slotsPerEpoch)
      } catch (error) {
        if (error instanceof ChainError) health.fault('exchange', faultOf(error.code), error)
        else if (error instanceof Refusal) {
          const code = error instanceof UnknownFork ? 'header_unverified' : 'header_forged'
          const cause = new ChainError(code, messageOf(error))
          health.fault('proof of finality', faultOf(code), cause)
        } else throw error
      }
    },
  }
}

/** The network of a chain's committee. Throws StartError if neither table nor settings have it. */
export const networkOfCommittee = ({ id, name, beaconNetwork }: ChainConfig): Network => {
  const network = beaconNetwork ? { ...beaconNetwork, name } : NETWORKS.get(id)
  if (network) return network
  throw new StartError(
    `Wrong setting: the sync committee of chain ${id} is not known, so its beacon needs beaconNetwork.`,
  )
}
