import { BlockList, isIP } from 'node:net'

/** `public`: on the internet. `loopback`: on this machine. `refused`: all other addresses. */
type AddressKind = 'public' | 'loopback' | 'refused'

/** Address blocks that are not public, from IANA's special-purpose registries (RFC 6890). */
const REFUSED_V4 = [
  '0.0.0.0/8', // addresses of the own network
  '10.0.0.0/8', // private networks
  '100.64.0.0/10', // shared by carriers; has the cloud metadata service 100.100.100.200
  '169.254.0.0/16', // link-local; has the cloud metadata service 169.254.169.254
  '172.16.0.0/12', // private networks
  '192.0.0.0/24', // protocol assignments; has the cloud metadata service 192.0.0.192
  '192.0.2.0/24', // examples in documentation
  '192.88.99.0/24', // relays between IPv4 and IPv6 (6to4)
  '192.168.0.0/16', // private networks
  '198.18.0.0/15', // network benchmarks
  '198.51.100.0/24', // examples in documentation
  '203.0.113.0/24', // examples in documentation
  '168.63.129.16/32', // the host agent of Azure, although this address is public
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved; has the broadcast address
]
const LOOPBACK_V4 = '127.0.0.0/8'

/** In IPv6, only this block (global unicast) is public, and the blocks in `REFUSED_V6` are not. */
const GLOBAL_V6 = '2000::/3'
const REFUSED_V6 = [
  '2001::/23', // protocol assignments, for example Teredo
  '2001:db8::/32', // examples in documentation
  '2002::/16', // 6to4, which can hold any IPv4 address
  '3fff::/20', // examples in documentation
]
const LOOPBACK_V6 = '::1/128'
/** Prefixes of IPv6 addresses that end with an IPv4 address. The IPv4 address decides the kind. */
const WRAPPING_V6 = ['::ffff:0:0/96', '64:ff9b::/96']

/** Creates a function that classifies IP addresses in any spelling that `net.isIP` accepts. */
export const createAddressClassifier = (): ((address: string) => AddressKind) => {
  const refused = blocksOf([...REFUSED_V4, ...REFUSED_V6])
  const loopback = blocksOf([LOOPBACK_V4, LOOPBACK_V6])
  const globalV6 = blocksOf([GLOBAL_V6])
  const wrapping = blocksOf(WRAPPING_V6)

  const kindOf = (address: string, family: 'ipv4' | 'ipv6'): AddressKind => {
    if (family === 'ipv6' && wrapping.check(address, family)) return kindOf(lastOf(address), 'ipv4')
    if (loopback.check(address, family)) return 'loopback'
    const isPublic = family === 'ipv4' || globalV6.check(address, family)
    return isPublic && !refused.check(address, family) ? 'public' : 'refused'
  }
  return (address) => {
    const bare = address.split('%')[0] ?? ''
    const version = isIP(bare)
    return version === 0 ? 'refused' : kindOf(bare, version === 4 ? 'ipv4' : 'ipv6')
  }
}

const blocksOf = (texts: readonly string[]): BlockList => {
  const blocks = new BlockList()
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    blocks.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return blocks
}

/** Reads the last 32 bits of an IPv6 address as IPv4. `URL` writes these bits as two groups. */
const lastOf = (address: string): string => {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
