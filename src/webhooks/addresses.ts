import { isIP } from 'node:net'

/** Whether an address may be called: the world's, this machine's own, or anything else. */
export type AddressKind = 'public' | 'loopback' | 'refused'

/**
 * What is not the public internet, after IANA's special-purpose registries for IPv4 and IPv6
 * (RFC 6890 and its updates).
 */
const REFUSED_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (and 100.100.100.200, a metadata service)
  '169.254.0.0/16', // link-local (and 169.254.169.254, the metadata services)
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments (and 192.0.0.192, a metadata service)
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '168.63.129.16/32', // Azure's host agent, on a public address
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]
const LOOPBACK_V4 = '127.0.0.0/8'

/** Of IPv6 only the global unicast block is the public internet, and not all of it. */
const GLOBAL_V6 = '2000::/3'
const REFUSED_V6 = [
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: wraps any IPv4 address
  '3fff::/20', // documentation
]
const LOOPBACK_V6 = '::1/128'
/** Both wrap an IPv4 address in their last 32 bits, and stand for it. */
const WRAPPING_V6 = ['::ffff:0:0/96', '64:ff9b::/96']

type Block = { base: bigint; shift: bigint }

/** Builds the classifier of IP addresses in any spelling that `net.isIP` accepts. */
export const createAddressClassifier = (): ((address: string) => AddressKind) => {
  const refusedV4 = REFUSED_V4.map(parseBlock)
  const loopbackV4 = parseBlock(LOOPBACK_V4)
  const globalV6 = parseBlock(GLOBAL_V6)
  const refusedV6 = REFUSED_V6.map(parseBlock)
  const loopbackV6 = parseBlock(LOOPBACK_V6)
  const wrappingV6 = WRAPPING_V6.map(parseBlock)

  const kindOfV4 = (value: bigint): AddressKind => {
    if (within(loopbackV4, value)) return 'loopback'
    return refusedV4.some((block) => within(block, value)) ? 'refused' : 'public'
  }
  const kindOfV6 = (value: bigint): AddressKind => {
    if (within(loopbackV6, value)) return 'loopback'
    if (wrappingV6.some((block) => within(block, value))) return kindOfV4(value & 0xffff_ffffn)
    if (!within(globalV6, value)) return 'refused'
    return refusedV6.some((block) => within(block, value)) ? 'refused' : 'public'
  }
  return (address) => {
    const bare = address.split('%')[0] ?? ''
    const version = isIP(bare)
    if (version === 4) return kindOfV4(parseV4(bare))
    return version === 6 ? kindOfV6(parseV6(bare)) : 'refused'
  }
}

const within = ({ base, shift }: Block, value: bigint): boolean => value >> shift === base >> shift

const parseBlock = (text: string): Block => {
  const [address = '', bits] = text.split('/')
  const v6 = address.includes(':')
  return {
    base: v6 ? parseV6(address) : parseV4(address),
    shift: BigInt((v6 ? 128 : 32) - Number(bits)),
  }
}

const parseV4 = (text: string): bigint =>
  text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)

/** RFC 4291, section 2.2: eight groups, one run of zeros as `::`, the last two perhaps as IPv4. */
const parseV6 = (text: string): bigint => {
  const [head = '', tail] = text.split('::')
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n)
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n)
}

const groupsOf = (text: string): bigint[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!group.includes('.')) return [BigInt(`0x${group}`)]
        const value = parseV4(group)
        return [value >> 16n, value & 0xffffn]
      })
