import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/kernel/ports/clock.ts'
import { createDeliverer } from '../../../src/webhooks/deliver.ts'
import { newWebhookSecret } from '../../../src/webhooks/keys.ts'
import { type Receiver, startReceiver } from '../../integration/webhooks/support/receiver.ts'

const TIMEOUT_MS = 400

/** A deliverer with the policy of the sandbox. It is closed after the test. */
const createSandboxDeliverer = (timeoutMs = 10_000) => {
  const policy = { requireHttps: false, allowLoopback: true }
  const deliverer = createDeliverer({ policy, clock: systemClock, timeoutMs })
  onTestFinished(() => deliverer.close())
  return deliverer
}

const secret = newWebhookSecret()
const delivery = {
  eventId: '0199b1a2-0000-7000-8000-000000000001',
  body: '{"id":"1","event":"donation.completed","data":{"name":"Zoë ☂"}}',
  signers: [{ kind: 'hmac' as const, secret }],
  headers: {},
  traceParent: null,
  requestId: 'req-42',
}

/** Starts a receiver that is closed after the test. */
const receive = async (answer?: (response: ServerResponse) => void): Promise<Receiver> => {
  const receiver = await startReceiver(answer)
  onTestFinished(() => receiver.close())
  return receiver
}

const deliverOnce = (url: string, timeoutMs?: number) =>
  createSandboxDeliverer(timeoutMs).deliver({ ...delivery, url })

const deliverTo = async (answer: (response: ServerResponse) => void, timeoutMs?: number) => {
  const receiver = await receive(answer)
  return { receiver, result: await deliverOnce(receiver.url, timeoutMs) }
}

describe('one delivery', () => {
  test('sends the stored bytes, signed, with the event id and the request id', async () => {
    const { receiver, result } = await deliverTo((response) => response.end('thanks'))
    expect(result).toMatchObject({ statusCode: 200, errorKind: null, responseBody: 'thanks' })
    const [request] = receiver.received
    expect(request?.body).toBe(delivery.body)
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Fundproof-Webhooks\//),
      'webhook-id': delivery.eventId,
      'x-request-id': 'req-42',
    })
    const headers = request?.headers as Record<string, string>
    const verified = new Webhook(secret).verify(request?.body ?? '', headers)
    expect(verified).toEqual(JSON.parse(delivery.body))
  })

  test.each([201, 202, 204])('takes %i for success', async (status) => {
    const { result } = await deliverTo((response) => response.writeHead(status).end())
    expect(result).toMatchObject({ statusCode: status, errorKind: null })
  })

  test.each([400, 404, 410, 500, 503])('takes %i for failure', async (status) => {
    const { result } = await deliverTo((response) => response.writeHead(status).end('no'))
    expect(result).toMatchObject({ statusCode: status, errorKind: 'http', responseBody: 'no' })
  })

  test.each([
    ['120', 120_000],
    ['1.5', 1_500],
    ['soon', null],
  ])('hears Retry-After: %s', async (header, expected) => {
    const { result } = await deliverTo((response) =>
      response.writeHead(429, { 'retry-after': header }).end(),
    )
    expect(result).toMatchObject({ statusCode: 429, retryAfterMs: expected })
  })

  test('hears Retry-After as a date', async () => {
    const { result } = await deliverTo((response) =>
      response.writeHead(503, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }).end(),
    )
    expect(result.retryAfterMs).toBeGreaterThan(55_000)
    expect(result.retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test.each([301, 302, 303, 307, 308])('does not follow a redirect by %i', async (status) => {
    const elsewhere = await receive()
    const { receiver, result } = await deliverTo((response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    )
    expect(result).toMatchObject({ statusCode: status, errorKind: 'http' })
    expect(elsewhere.received).toEqual([])
    expect(receiver.received).toHaveLength(1)
  })

  test('sends the headers of the endpoint and the trace, none of which replaces one of ours', async () => {
    const receiver = await receive()
    const deliverer = createSandboxDeliverer()
    const traceParent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await deliverer.deliver({
      ...delivery,
      url: receiver.url,
      headers: { authorization: 'Bearer token', 'webhook-id': 'forged', 'user-agent': 'forged' },
      traceParent,
    })
    expect(receiver.received[0]?.headers).toMatchObject({
      authorization: 'Bearer token',
      traceparent: traceParent,
      'webhook-id': delivery.eventId,
      'user-agent': expect.stringMatching(/^Fundproof-Webhooks\//),
    })
  })

  test('sends once more, over a new connection, when a kept one turns out to be closed', async () => {
    const sockets = new Set<unknown>()
    const receiver: Receiver = await receive((response) => {
      const { socket } = response
      // The receiver answers the first request of each connection, and breaks the connection at the
      // next.
      if (sockets.has(socket)) socket?.destroy()
      else {
        sockets.add(socket)
        response.end('ok')
      }
    })
    const deliverer = createSandboxDeliverer()
    let made = 0
    do {
      made++
      const result = await deliverer.deliver({ ...delivery, url: receiver.url })
      expect(result).toMatchObject({ statusCode: 200, errorKind: null })
      // Lets the event loop read the end of the answer, because only then the connection is reused.
      await new Promise((resolve) => setImmediate(resolve))
    } while (receiver.received.length === made && made < 20)
    expect(receiver.received).toHaveLength(made + 1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('reads past a few interim answers', async () => {
    const { result } = await deliverTo((response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.end('ok')
    })
    expect(result).toMatchObject({ statusCode: 200, errorKind: null, responseBody: 'ok' })
  })

  test('sends no third time, and never again to who has answered', async () => {
    const broken = await deliverTo((response) => response.socket?.destroy())
    expect(broken.result.errorKind).toBe('connection')
    expect(broken.receiver.received).toHaveLength(2)
    const cut = await deliverTo((response) => {
      response.writeHead(500, { 'content-length': '100' })
      response.write('half')
      setImmediate(() => response.socket?.destroy())
    })
    expect(cut.receiver.received).toHaveLength(1)
    const silent = await deliverTo(() => {}, TIMEOUT_MS)
    expect(silent.receiver.received).toHaveLength(1)
  })

  test.each([
    ['headers without end', (line: () => string) => `HTTP/1.1 200 OK\r\n${line()}`],
    [
      'trailers without end',
      (line: () => string) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${line()}`,
    ],
    [
      'chunk extensions without end',
      () => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;',
    ],
    ['interim answers without end', () => 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('gives up on %s', async (what, head) => {
    const line = () => `x-more: ${'x'.repeat(1_000)}\r\n`
    const piece = what.startsWith('interim')
      ? 'HTTP/1.1 102 Processing\r\n\r\n'
      : what.startsWith('chunk')
        ? 'x'.repeat(1_000)
        : line()
    let written = 0
    const { result } = await deliverTo((response) => {
      const { socket } = response
      const write = () => {
        while (socket && !socket.destroyed && socket.write(piece)) written += piece.length
      }
      socket?.on('error', () => {}).on('drain', write)
      socket?.write(head(line))
      write()
    }, 2 * TIMEOUT_MS)
    expect(result.errorKind).not.toBeNull()
    expect(written).toBeGreaterThan(1_000)
  })

  test('keeps 20 kB of a huge body and succeeds by its status', async () => {
    const { result } = await deliverTo((response) => {
      const write = () => {
        while (response.write('é'.repeat(50_000))) {
          // Writes until the buffer is full, and again after each drain, until the connection is
          // dropped.
        }
      }
      response.on('drain', write)
      response.writeHead(200)
      write()
    })
    expect(result).toMatchObject({ statusCode: 200, errorKind: null })
    expect(result.responseBody).toBe('é'.repeat(10_000))
  })

  test('stores a body of any bytes as text that Postgres can hold', async () => {
    const { result } = await deliverTo((response) =>
      response.end(Buffer.from([0x61, 0x00, 0xff, 0xf0, 0x9f, 0x62])),
    )
    expect(result.responseBody).toBe('a��b')
  })

  test('gives up on a receiver that never answers', async () => {
    const { result } = await deliverTo(() => {}, TIMEOUT_MS)
    expect(result).toMatchObject({ statusCode: null, errorKind: 'timeout' })
    expect(result.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 20)
  })

  test('gives up on a body that only trickles', async () => {
    const { result } = await deliverTo((response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    }, TIMEOUT_MS)
    expect(result).toMatchObject({ statusCode: 200, errorKind: 'timeout' })
  })

  test('reports a connection cut before the answer', async () => {
    const { result } = await deliverTo((response) => response.socket?.destroy())
    expect(result).toMatchObject({ statusCode: null, errorKind: 'connection' })
  })

  test('reports a body cut off', async () => {
    const { result } = await deliverTo((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setImmediate(() => response.socket?.destroy())
    })
    expect(result).toMatchObject({ statusCode: 200, errorKind: 'body' })
  })

  test('reports a port without a server', async () => {
    const receiver = await startReceiver()
    await receiver.close()
    expect(await deliverOnce(receiver.url)).toMatchObject({ errorKind: 'connection' })
  })

  test('reports an answer that is not TLS', async () => {
    const receiver = await receive()
    const result = await deliverOnce(receiver.url.replace('http:', 'https:'))
    expect(result).toMatchObject({ statusCode: null, errorKind: 'tls' })
  })

  test('reports an answer that is not HTTP', async () => {
    const { result } = await deliverTo((response) => response.socket?.end('SSH-2.0-nonsense\r\n'))
    expect(result).toMatchObject({ statusCode: null, errorKind: 'protocol' })
  })

  test('rejects when it is given up, and leaves no result', async () => {
    const receiver = await receive(() => {})
    const deliverer = createSandboxDeliverer()
    const controller = new AbortController()
    const attempt = deliverer.deliver({ ...delivery, url: receiver.url }, controller.signal)
    const stopped = new Error('stopping')
    controller.abort(stopped)
    await expect(attempt).rejects.toBe(stopped)
  })
})
