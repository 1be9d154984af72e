import { describe, expect, test } from 'vitest'
import { deliveryErrorKind } from '../../../src/webhooks/delivery-error.ts'
import { createResolve } from '../../../src/webhooks/resolve.ts'

const failure = (code: string) =>
  Object.assign(new Error(`queryA ${code}`), { code, syscall: 'queryA' })

const resolverOf = (four: string[] | Error, six: string[] | Error) => {
  const asked: string[] = []
  const answer = async (name: string, found: string[] | Error) => {
    asked.push(name)
    if (found instanceof Error) throw found
    return found
  }
  const resolver = {
    resolve4: (name: string) => answer(name, four),
    resolve6: (name: string) => answer(name, six),
  }
  // The cast hides other overloads of these two functions. Only the overload with texts is called.
  const resolve = createResolve(resolver as never)
  return { asked, resolve }
}

describe('resolving a name', () => {
  test('gives the addresses of both families', async () => {
    const { resolve, asked } = resolverOf(['192.0.2.1'], ['2001:db8::1'])
    expect(await resolve('Hooks.Example.com.')).toEqual(['192.0.2.1', '2001:db8::1'])
    expect(asked).toEqual(['hooks.example.com', 'hooks.example.com'])
  })

  test('is content with one family', async () => {
    const none = failure('ENODATA')
    expect(await resolverOf(['192.0.2.1'], none).resolve('a.example')).toEqual(['192.0.2.1'])
    expect(await resolverOf(none, ['2001:db8::1']).resolve('a.example')).toEqual(['2001:db8::1'])
  })

  test.each(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EBADNAME'])(
    'fails as a matter of names with %s',
    async (code) => {
      const { resolve } = resolverOf(failure(code), failure('ENODATA'))
      const reason = await resolve('a.example').catch((error: unknown) => error)
      expect(deliveryErrorKind(reason)).toBe('dns')
    },
  )

  test('asks no name server what localhost means', async () => {
    const { resolve, asked } = resolverOf(['203.0.113.1'], ['2001:db8::1'])
    expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1'])
    expect(await resolve('api.localhost.')).toEqual(['127.0.0.1', '::1'])
    expect(asked).toEqual([])
  })
})
