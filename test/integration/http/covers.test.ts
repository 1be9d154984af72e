import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { address } from '../../support/chain-facts.ts'
import { ANIMATED_WEBP, chunk, IMAGES, pngOf, pngOfBytes } from '../../support/images.ts'
import { createCampaign, createTestApi, refusal, requestOf, type TestApi } from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

const MOST_BYTES = 500_000
const { PNG, 'baseline JPEG': JPEG } = IMAGES

type Bytes = Uint8Array<ArrayBuffer>
type Caller = { token?: string }

let accounts = 0
const create = async (api: TestApi, { token }: Caller, changes: Record<string, unknown> = {}) => {
  const ledger_account = address(`cover ${++accounts}`)
  return (await createCampaign(api, token, { ledger_account, ...changes }))._id
}

const setUp = async () => {
  const api = await createTestApi()
  const [creator, stranger, admin] = await twoUsersAndAdmin(api)
  const id = await create(api, creator)
  const pathOf = (campaignId = id) => `/api/campaigns/${campaignId}/cover`
  return {
    ...{ api, creator, stranger, admin, id, pathOf },
    put: (raw: RequestInit['body'], type = 'image/png', { token }: Caller = creator, of = id) =>
      api.ask('PUT', pathOf(of), {
        raw,
        token,
        headers: { 'content-type': type },
      }),
    get: ({ token }: Caller = {}, headers: Record<string, string> = {}, of = id) =>
      api.ask('GET', pathOf(of), { token, headers }),
    remove: ({ token }: Caller = creator, of = id) => api.ask('DELETE', pathOf(of), { token }),
    /** Reads the bytes that a client gets. */
    bytesOf: async (of = id) => {
      const response = await api.app.request(pathOf(of))
      return new Uint8Array(await response.arrayBuffer())
    },
    stored: async () =>
      (await api.ctx.sql<{ count: number }[]>`select count(*)::int as count from campaign_cover`)[0]
        ?.count,
  }
}

test.each(Object.entries(IMAGES))(
  'serves a %s as it was sent, to be shown and not run',
  async (_, image) => {
    const { api, id, put, get, bytesOf, pathOf } = await setUp()
    const type = readType(image)
    const cover = { url: `http://localhost:3000${pathOf()}`, type, width: 16, height: 9 }
    expect(await put(image, type)).toMatchObject({
      status: 200,
      body: { success: true, campaign: { _id: id, cover } },
    })
    expect(Buffer.from(await bytesOf()).equals(image)).toBe(true)
    const { status, headers } = await get()
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'content-length': String(image.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    })
    for (const path of ['/api/campaigns', '/v1/campaigns']) {
      expect((await api.ask('GET', `${path}/${id}`)).body).toMatchObject({ cover })
      const { campaigns, data } = (await api.ask('GET', path)).body
      expect(campaigns ?? data).toMatchObject([{ cover }])
    }
  },
)

const readType = (image: Bytes): string =>
  image === PNG || image === IMAGES['palette PNG']
    ? 'image/png'
    : image[0] === 0xff
      ? 'image/jpeg'
      : 'image/webp'

test('answers a known ETag without the image, and says of the content which type it is', async () => {
  const { put, get, bytesOf } = await setUp()
  expect((await get()).status).toBe(404)
  expect((await put(PNG, 'IMAGE/JPEG; q=1')).status).toBe(200)
  const first = await get()
  expect(first.headers.get('content-type')).toBe('image/png')
  const etag = first.headers.get('etag') ?? ''
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await get({}, { 'if-none-match': known })
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag])
  }
  await put(JPEG)
  const second = await get({}, { 'if-none-match': etag })
  expect([second.status, second.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(Buffer.from(await bytesOf()).equals(JPEG)).toBe(true)
})

test('removes a cover, notes each change once, and leaves those of ended campaigns alone', async () => {
  const { api, id, creator, put, get, remove } = await setUp()
  const changes = async () =>
    (await api.ctx.sql<{ body: string }[]>`select event.body from event order by seq`).map(
      ({ body }) => JSON.parse(body).data.changes,
    )
  await put(PNG)
  await put(PNG)
  expect(await changes()).toEqual([['cover']])
  expect((await remove()).status).toBe(204)
  expect((await remove()).status).toBe(404)
  expect((await get()).status).toBe(404)
  expect((await api.ask('GET', `/api/campaigns/${id}`)).body).toMatchObject({ cover: null })
  expect(await changes()).toEqual([['cover'], ['cover']])
  await put(PNG)
  const { token } = creator
  await api.ask('PATCH', `/api/campaigns/${id}`, { token, body: { status: 'completed' } })
  expect(await put(JPEG)).toMatchObject(refusal(409, 'conflict'))
  expect((await get()).status).toBe(200)
  expect((await remove()).status).toBe(204)
})

const text = (...parts: (string | Uint8Array)[]): Bytes =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    ),
  )
const HTML = '<!doctype html><script>alert(document.domain)</script>'

test('refuses covers that are not images, under any content type', async () => {
  const { put, get, stored } = await setUp()
  const wrong: Record<string, Bytes> = {
    nothing: text(),
    SVG: text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    HTML: text(HTML),
    JSON: text('{"cover":1}'),
    'GIF and script': text('GIF89a/*\0\0*/=alert(1)//;'),
    'PNG and HTML': text(PNG.subarray(0, 33), HTML),
    'HTML behind a PNG': text(PNG, HTML),
    'HTML before a PNG': text(HTML, PNG),
    'script in a JPEG': text('\xff\xd8\xff\xe0/*JFIF*/=alert(1)/*\xff\xd9*/'),
    'ZIP behind a JPEG': text(JPEG, 'PK\x03\x04'),
    'half a PNG': PNG.slice(0, 200),
    'a JPEG without its end': JPEG.slice(0, -2),
    'a WebP that moves': ANIMATED_WEBP,
    'a PNG that moves': pngOf({}, chunk('acTL', Buffer.alloc(8))),
    'a huge PNG': pngOf({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }),
    'a bomb': pngOf({ width: 9_999, height: 9_999 }),
    'no pixels': pngOf({ width: 0 }),
  }
  for (const [name, bytes] of Object.entries(wrong)) {
    for (const type of ['image/png', 'image/jpeg', 'image/webp']) {
      expect(await put(bytes, type), name).toMatchObject(refusal(400, 'invalid_input'))
    }
  }
  for (const type of [
    ...['image/svg+xml', 'image/gif', 'image/*', 'text/html', 'application/json', ''],
    ...['multipart/form-data; boundary=x', 'application/octet-stream', 'image/png,text/html'],
  ]) {
    expect(await put(PNG, type), type).toMatchObject(refusal(415, 'unsupported_media_type'))
  }
  expect((await get()).status).toBe(404)
  expect(await stored()).toBe(0)
})

test('takes exactly 500 kB, also of a body without a length', async () => {
  const { put, stored, bytesOf } = await setUp()
  const inPieces = (bytes: Bytes) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 10_000) {
          controller.enqueue(bytes.subarray(at, at + 10_000))
        }
        controller.close()
      },
    })
  const [most, more] = [pngOfBytes(MOST_BYTES), pngOfBytes(MOST_BYTES + 1)]
  for (const body of [more, inPieces(more), inPieces(text('x'.repeat(2_000_000)))]) {
    const refused = await put(body)
    expect(refused).toMatchObject(refusal(413, 'payload_too_large'))
    expect(refused.body.error).toContain('500 kB')
  }
  expect(await stored()).toBe(0)
  for (const body of [most, inPieces(most)]) expect((await put(body)).status).toBe(200)
  expect((await bytesOf()).length).toBe(MOST_BYTES)
})

test('counts the bytes that come over a socket, with any declared length', async () => {
  const { api, creator, pathOf, stored } = await setUp()
  const origin = await api.listen()
  const send = (body: NonNullable<RequestInit['body']>) =>
    fetch(`${origin}${pathOf()}`, {
      ...requestOf('PUT', {
        raw: body,
        token: creator.token,
        headers: { 'content-type': 'image/png' },
      }),
    })
  expect((await send(pngOfBytes(MOST_BYTES + 1))).status).toBe(413)
  expect((await send(new Blob([pngOfBytes(MOST_BYTES + 1)]).stream())).status).toBe(413)
  expect(await stored()).toBe(0)
  expect((await send(new Blob([pngOfBytes(MOST_BYTES)]).stream())).status).toBe(200)
  const read = await fetch(`${origin}${pathOf()}`)
  expect((await read.arrayBuffer()).byteLength).toBe(MOST_BYTES)
  const head = await fetch(`${origin}${pathOf()}`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('lets only the creator and administrators change a cover, and shows a draft’s to them alone', async () => {
  const { api, creator, stranger, admin, id, put, get, remove, stored } = await setUp()
  const unverified = await api.signIn({ verified: false })
  for (const [caller, status] of [
    [{}, 401],
    [stranger, 403],
    [unverified, 403],
  ] as const) {
    expect((await put(PNG, 'image/png', caller)).status).toBe(status)
    expect((await remove(caller)).status).toBe(status)
  }
  expect(await stored()).toBe(0)
  expect((await put(PNG, 'image/png', admin)).status).toBe(200)
  expect((await remove(stranger)).status).toBe(403)
  for (const unknown of [newId(), 'x', '..%2f..']) {
    expect((await put(PNG, 'image/png', creator, unknown)).status).toBe(404)
    expect((await get({}, {}, unknown)).status).toBe(404)
  }
  const draft = await create(api, creator, { status: 'draft' })
  expect((await put(JPEG, 'image/jpeg', stranger, draft)).status).toBe(404)
  expect((await put(JPEG, 'image/jpeg', creator, draft)).status).toBe(200)
  const etag = (await get(creator, {}, draft)).headers.get('etag') ?? ''
  for (const caller of [creator, admin]) {
    const { status, headers } = await get(caller, {}, draft)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(headers.get('content-security-policy')).toContain('sandbox')
  }
  for (const caller of [{}, stranger]) {
    expect((await get(caller, { 'if-none-match': etag }, draft)).status).toBe(404)
    expect((await remove(caller, draft)).status).toBe(caller === stranger ? 404 : 401)
  }
  const { token } = creator
  await api.ask('PATCH', `/api/campaigns/${draft}`, { token, body: { status: 'active' } })
  expect((await get({}, {}, draft)).status).toBe(200)
  expect(id).not.toBe(draft)
})

test('asks a key for the scope of campaigns', async () => {
  const { api, creator, pathOf } = await setUp()
  const askWith = async (scopes: string[], method: string) => {
    const body = { name: 'x', scopes }
    const { key } = (await api.ask('POST', '/api/keys', { token: creator.token, body })).body
    const { key: apiKey } = key as { key: string }
    const sent = method === 'PUT' ? { raw: PNG, headers: { 'content-type': 'image/png' } } : {}
    return (await api.ask(method, pathOf(), { apiKey, ...sent })).status
  }
  for (const method of ['PUT', 'DELETE']) {
    expect(await askWith(['read', 'donations:write'], method)).toBe(403)
  }
  expect(await askWith(['campaigns:write'], 'PUT')).toBe(200)
  expect(await askWith(['campaigns:write'], 'DELETE')).toBe(204)
})
