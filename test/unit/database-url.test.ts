import { describe, expect, test } from 'vitest'
import { parseDatabaseUrl, urlsOfHosts } from '../../src/kernel/database-url.ts'

describe('the URL of a database', () => {
  test('has hosts with a port each, of which the default is 5432 for each', () => {
    expect(parseDatabaseUrl('postgres://u:p@one:5433,two,[::1]:9/name').hosts).toEqual([
      { host: 'one', port: 5433 },
      { host: 'two', port: 5432 },
      { host: '::1', port: 9 },
    ])
  })

  test('names the folder of a Unix socket as its parameter host', () => {
    const { hosts, plain } = parseDatabaseUrl('postgres:///name?host=/run/postgresql')
    expect(hosts).toEqual([{ host: '/run/postgresql', port: 5432 }])
    expect(plain).toBe('postgres:///name')
  })

  test('keeps only parameters of the server for the driver', () => {
    const own = 'sslmode=require&channel_binding=require&target_session_attrs=any&connect_timeout=3'
    const { plain } = parseDatabaseUrl(`postgres://u:p@one,two/name?${own}&search_path=public`)
    expect(plain).toBe('postgres://u:p@one/name?search_path=public')
  })

  test.each([
    ['', 'disable'],
    ['?ssl=true', 'verify-full'],
    ['?ssl=require', 'require'],
    ['?sslrootcert=/ca.crt', 'verify-full'],
    ['?sslmode=verify-ca&sslrootcert=/ca.crt', 'verify-ca'],
  ])('with "%s" has the sslmode %s', (query, sslmode) => {
    expect(parseDatabaseUrl(`postgres://one/name${query}`)).toMatchObject({ sslmode })
  })

  test('is split into a URL for each host', () => {
    expect(urlsOfHosts('postgres://u@one:1,two/name?a=b')).toEqual([
      { host: 'one:1', url: 'postgres://u@one:1/name?a=b' },
      { host: 'two', url: 'postgres://u@two/name?a=b' },
    ])
  })
})
