import type { LookupFunction } from 'node:net'
import { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import type { ConnectorBuilder } from '../../../src/webhooks/connect.ts'
import { createDeliverer } from '../../../src/webhooks/index.ts'
import { HOSTILE_URLS, LOOPBACK_URLS } from './support/hostile-urls.ts'

/** A fake network that records the addresses of connections and sends no packet. */
const createFakeNetwork = () => {
  const connectedTo: string[] = []
  const unreachable = Object.assign(new Error('no network here'), { code: 'ENETUNREACH' })
  const connectorBuilder: ConnectorBuilder = (options) => (target, callback) => {
    const lookup = 'lookup' in options ? options.lookup : undefined
    const connectTo = (addresses: string[]) => {
      connectedTo.push(...addresses)
      callback(unreachable, null)
    }
    if (!lookup || /^[\d.]+$|:/.test(target.hostname)) return connectTo([target.hostname])
    return lookupAll(lookup, target.hostname).then(connectTo, (error) => callback(error, null))
  }
  return { connectedTo, connectorBuilder }
}

const lookupAll = (lookup: LookupFunction, hostname: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error) reject(error)
      else resolve(Array.isArray(found) ? found.map(({ address }) => address) : [found])
    })
  })

const DELIVERY = {
  eventId: 'evt-1',
  body: '{}',
  signers: [{ kind: 'hmac' as const, secret: 'whsec_AAAA' }],
  headers: {},
  requestId: null,
  traceParent: null,
}

/** A deliverer with the policy of production. It is closed after the test. */
const openDeliverer = (options: Partial<Parameters<typeof createDeliverer>[0]>) => {
  const policy = { requireHttps: true, allowLoopback: false }
  const deliverer = createDeliverer({ policy, clock: systemClock, ...options })
  onTestFinished(() => deliverer.close())
  return deliverer
}

const deliverTo = async (url: string, addresses: readonly string[]) => {
  const { connectedTo, connectorBuilder } = createFakeNetwork()
  const deliverer = openDeliverer({ resolve: async () => [...addresses], connectorBuilder })
  return { result: await deliverer.deliver({ ...DELIVERY, url }), connectedTo }
}

/** Expects that a delivery is refused before any packet is sent. */
const expectRefused = async (url: string, addresses: readonly string[]) => {
  const { result, connectedTo } = await deliverTo(url, addresses)
  expect(result).toMatchObject({ errorKind: 'refused_address', statusCode: null })
  expect(connectedTo).toEqual([])
}

const FORBIDDEN = [
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.20.0.2',
  '192.168.1.1',
  '168.63.129.16',
  '224.0.0.251',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
]

/** Names that an attacker can register, or that exist inside a cloud, with their addresses. */
const HOSTILE_NAMES: readonly [name: string, ...addresses: string[]][] = [
  ['127.0.0.1.nip.io', '127.0.0.1'],
  ['localtest.me', '127.0.0.1', '::1'],
  ['metadata.goog', '169.254.169.254'],
  ['metadata.tencentyun.com', '169.254.0.23'],
  ['100-100-100-200.attacker.example', '100.100.100.200'],
  ['azure-agent.attacker.example', '168.63.129.16'],
  ['ec2.attacker.example', 'fd00:ec2::254'],
  ['nat64.attacker.example', '64:ff9b::a9fe:a9fe'],
  ['local-nat64.attacker.example', '64:ff9b:1::a9fe:a9fe'],
  ['compatible.attacker.example', '::169.254.169.254'],
  ['mapped.attacker.example', '::ffff:10.0.0.1'],
  ['translated.attacker.example', '::ffff:0:10.0.0.1'],
  ['six-to-four.attacker.example', '2002:a00:1::'],
  ['teredo.attacker.example', '2001:0:a9fe:a9fe::1'],
  ['mixed.attacker.example', '93.184.216.34', '10.0.0.1'],
  ['mixed6.attacker.example', '2606:2800:220:1::1', '::1'],
  ['late.attacker.example', '93.184.216.34', '2606:2800:220:1::1', '169.254.169.254'],
  ['zone.attacker.example', 'fe80::1%eth0'],
  ['nonsense.attacker.example', 'not an address'],
  ['broadcast.attacker.example', '255.255.255.255'],
  ['this-network.attacker.example', '0.0.0.0'],
  ['xn--bcher-kva.example', '192.168.1.1'],
]

describe('connecting', () => {
  test('is put to the test with more than sixty hostile URLs', () => {
    const all = new Set([...HOSTILE_URLS, ...LOOPBACK_URLS])
    expect(all.size).toBe(HOSTILE_URLS.length + LOOPBACK_URLS.length)
    expect(all.size).toBeGreaterThanOrEqual(60)
  })

  test.each([...LOOPBACK_URLS, ...HOSTILE_URLS])(
    'sends no packet for %s, also if its name has a public address',
    (url) => expectRefused(url, ['93.184.216.34']),
  )

  test.each(HOSTILE_NAMES)('sends no packet for the name %s, which means %s', (name, ...found) =>
    expectRefused(`https://${name}/`, found),
  )

  test('speaks no plain HTTP outside the sandbox', () =>
    expectRefused('http://hooks.example.com/', ['93.184.216.34']))

  test.each(FORBIDDEN)('refuses a name that means %s', (address) =>
    expectRefused('https://hooks.example.com/', [address]),
  )

  test('refuses a name of which only one address is forbidden', async () => {
    const addresses = ['93.184.216.34', '2606:2800:220:1::1', '10.0.0.1']
    await expectRefused('https://hooks.example.com/', addresses)
  })

  test('connects to exactly the addresses that were checked', async () => {
    const addresses = ['93.184.216.34', '2606:2800:220:1::1']
    const { result, connectedTo } = await deliverTo('https://hooks.example.com/', addresses)
    expect(result.errorKind).toBe('connection')
    expect(connectedTo).toEqual(addresses)
  })

  test('refuses a name that means another address by the time it is connected to', async () => {
    const { connectedTo, connectorBuilder } = createFakeNetwork()
    const answers = ['93.184.216.34', '169.254.169.254']
    const resolve = async () => [answers.shift() ?? '169.254.169.254']
    const deliverer = openDeliverer({ resolve, connectorBuilder })
    const url = 'https://rebinding.example.com/'
    expect((await deliverer.deliver({ ...DELIVERY, url })).errorKind).toBe('connection')
    expect((await deliverer.deliver({ ...DELIVERY, url })).errorKind).toBe('refused_address')
    expect(connectedTo).toEqual(['93.184.216.34'])
  })

  test.each(['https://169.254.169.254/', 'https://[::1]/', 'https://0x7f.1/', 'http://8.8.8.8/'])(
    'refuses %s although it was stored',
    (url) => expectRefused(url, []),
  )

  test('drops an open connection whose peer is not where it should be', async () => {
    const socket = new Socket()
    Object.defineProperty(socket, 'remoteAddress', { value: '10.0.0.1' })
    const opened: buildConnector.connector = (_target, callback) => callback(null, socket)
    const deliverer = openDeliverer({ connectorBuilder: () => opened })
    const result = await deliverer.deliver({ ...DELIVERY, url: 'https://hooks.example.com/' })
    expect(result.errorKind).toBe('refused_address')
    expect(socket.destroyed).toBe(true)
  })

  test('says so when a name has no address', async () => {
    const { result } = await deliverTo('https://hooks.example.com/', [])
    expect(result.errorKind).toBe('dns')
  })
})
