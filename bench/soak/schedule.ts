import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../src/kernel/errors.ts'
import type { SoakChain } from './chains.ts'
import type { Pair } from './databases.ts'
import { accountOf } from './load.ts'

const BLOCK_S = 2
/** Within an hour: a reorg every two minutes, and every ten minutes a faulty node for a minute. */
const REORGS = 30
const FAULTS = 6
const FAULT_SHARE = 0.1
/** A reorg may not reach the final block, which is two blocks behind the head. */
const MOST_DEPTH = 2

type Schedule = {
  chains: readonly SoakChain[]
  pair: Pair
  /** The time in which a failover happens once, in its middle. */
  hourS: number
  totalS: number
}

/** Mines blocks with a reorg now and then, breaks nodes, and loses the primary once an hour. */
export const runSchedule = ({ chains, pair, hourS, totalS }: Schedule) => {
  const stopping = new AbortController()
  const faults: string[] = []
  const pause = (seconds: number) =>
    delay(seconds * 1_000, undefined, { signal: stopping.signal }).catch(() => {})
  const isOver = () => stopping.signal.aborted
  const mine = async (chain: SoakChain): Promise<void> => {
    const every = Math.max(2, Math.round(hourS / REORGS / BLOCK_S))
    for (let block = 1; !isOver(); block++) {
      await pause(BLOCK_S)
      if (block % every === 0) await chain.reorg(1 + ((block / every) % MOST_DEPTH))
      else await chain.mine()
    }
  }
  const breakNodes = async (): Promise<void> => {
    const everyS = hourS / FAULTS
    for (let index = 0; ; index++) {
      await pause(everyS * (1 - FAULT_SHARE))
      const chain = chains[index % chains.length]
      if (isOver() || !chain) return
      const fault = await chain.breakNode(accountOf(0))
      console.log(`Chain ${chain.id}: a node has the fault ${fault}`)
      await pause(everyS * FAULT_SHARE)
      chain.healNode()
    }
  }
  const failOver = async (): Promise<void> => {
    for (let atS = hourS / 2; atS < totalS; atS += hourS) {
      await pause(atS === hourS / 2 ? atS : hourS)
      if (isOver()) return
      const seconds = await pair.failOver()
      console.log(`The primary was killed: the standby was promoted after ${seconds.toFixed(1)} s`)
    }
  }
  const jobs = [...chains.map(mine), breakNodes(), failOver()]
  const running = Promise.all(
    jobs.map((job) => job.catch((error: unknown) => faults.push(messageOf(error)))),
  )
  return {
    faults,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
