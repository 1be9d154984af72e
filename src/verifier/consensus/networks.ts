import { Refusal } from '../bytes.ts'

/** The forks whose light client data this version can verify, in their order. */
export const FORKS = ['altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu'] as const
export type Fork = (typeof FORKS)[number]

/** A proof-of-stake network, as its `config.yaml` and its preset describe it. */
export type Network = {
  name: string
  /** GENESIS_VALIDATORS_ROOT, which every signature commits to. */
  genesisRoot: string
  /** The first second of slot 0, in Unix time. */
  genesisTime: number
  secondsPerSlot: number
  slotsPerEpoch: number
  /** EPOCHS_PER_SYNC_COMMITTEE_PERIOD */
  epochsPerPeriod: number
  /** The first epoch and the version of each fork. A fork that is not planned is missing. */
  forks: Partial<Record<Fork, { epoch: number; version: string }>>
  /** The first planned fork that this version does not know. */
  unknown?: { fork: string; epoch: number }
}

const PRESET = { secondsPerSlot: 12, slotsPerEpoch: 32, epochsPerPeriod: 256 }

const forksOf = (versions: (fork: number) => string, epochs: readonly number[]): Network['forks'] =>
  Object.fromEntries(
    epochs.map((epoch, index) => [FORKS[index], { epoch, version: versions(index + 1) }]),
  )

/** The networks by chain id. Sources: github.com/eth-clients and github.com/gnosischain/configs. */
export const NETWORKS: ReadonlyMap<number, Network> = new Map([
  [
    1,
    {
      ...{ name: 'Ethereum', genesisTime: 1_606_824_023, ...PRESET },
      genesisRoot: '0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95',
      forks: forksOf(
        (fork) => `0x0${fork}000000`,
        [74_240, 144_896, 194_048, 269_568, 364_032, 411_392],
      ),
    },
  ],
  [
    11_155_111,
    {
      ...{ name: 'Sepolia', genesisTime: 1_655_733_600, ...PRESET },
      genesisRoot: '0xd8ea171f3c94aea21ebc42a1ed61052acf3f9209c00e4efbaaddac09ed9b8078',
      unknown: { fork: 'gloas', epoch: 353_024 },
      forks: forksOf(
        (fork) => `0x900000${69 + fork}`,
        [50, 100, 56_832, 132_608, 222_464, 272_640],
      ),
    },
  ],
  [
    560_048,
    {
      ...{ name: 'Hoodi', genesisTime: 1_742_213_400, ...PRESET },
      genesisRoot: '0x212f13fc4df078b6cb7db228f1c8307566dcecf900867401a92023d7ba99cb5f',
      unknown: { fork: 'gloas', epoch: 132_352 },
      forks: forksOf((fork) => `0x${fork + 1}0000910`, [0, 0, 0, 0, 2_048, 50_688]),
    },
  ],
  [
    100,
    {
      ...{ name: 'Gnosis', genesisTime: 1_638_993_340 },
      ...{ secondsPerSlot: 5, slotsPerEpoch: 16, epochsPerPeriod: 512 },
      genesisRoot: '0xf5dcb5564e829aab27264b9becd5dfaa017085611224cb3036f573368dbb9d47',
      forks: forksOf(
        (fork) => `0x0${fork}000064`,
        [512, 385_536, 648_704, 889_856, 1_337_856, 1_714_688],
      ),
    },
  ],
])

/** Thrown for data of a fork that this version does not know: nothing is proven or disproven. */
export class UnknownFork extends Refusal {
  readonly fork: string

  constructor(fork: string) {
    super(`Finality is not proven: this version does not know the fork ${fork} of the chain.`)
    this.fork = fork
  }
}

export const epochOf = ({ slotsPerEpoch }: Network, slot: number): number =>
  Math.floor(slot / slotsPerEpoch)

export const periodOf = (network: Network, slot: number): number =>
  Math.floor(epochOf(network, slot) / network.epochsPerPeriod)

/** The newest slot that can exist at a time in Unix seconds. */
export const slotAt = ({ genesisTime, secondsPerSlot }: Network, seconds: number): number =>
  Math.floor((seconds - genesisTime) / secondsPerSlot)

/** The fork of a slot and its version. Throws UnknownFork for another fork than in FORKS. */
export const forkAt = (network: Network, slot: number): { fork: Fork; version: string } => {
  const epoch = epochOf(network, slot)
  const { unknown } = network
  if (unknown && unknown.epoch <= epoch) throw new UnknownFork(unknown.fork)
  for (const fork of FORKS.toReversed()) {
    const found = network.forks[fork]
    if (found && found.epoch <= epoch) return { fork, version: found.version }
  }
  throw new UnknownFork('phase0')
}

/** Whether the fork of a slot is `fork` or a later one. */
export const isSince = (network: Network, slot: number, fork: Fork): boolean =>
  FORKS.indexOf(forkAt(network, slot).fork) >= FORKS.indexOf(fork)
