import { describe, expect, test } from 'vitest'
import { run } from '../../../src/commands/reconcile/main.ts'
import { readOptions } from '../../../src/commands/reconcile/options.ts'
import { createProgress } from '../../../src/commands/reconcile/progress.ts'
import { toCsv } from '../../../src/edge/answer/csv.ts'
import { runCommand } from '../../support/command.ts'

describe('the command line of reconcile', () => {
  test('takes a range, a chain, and to go on', () => {
    expect(readOptions(['--from', '100', '--to', '200', '--chain', '1'])).toEqual({
      chainId: 1,
      from: 100,
      to: 200,
      resume: false,
      depth: 'proven',
    })
    expect(readOptions(['--resume', '--tokens-only'])).toMatchObject({
      resume: true,
      depth: 'tokens',
    })
  })

  test('explains itself', async () => {
    const out = expect.stringContaining('npm run reconcile')
    expect(await runCommand(run, ['--help'])).toMatchObject({ code: 0, out, errors: '' })
  })

  test('refuses anything else in one line', () => {
    for (const [args, line] of [
      [['--from', 'x'], '--from must be a whole number'],
      [['--from', '-1'], ''],
      [['--from', '1e3'], '--from must be a whole number'],
      [['--from', '9', '--to', '3'], '--to must not be below --from'],
      [['--resume', '--from', '3'], '--resume continues'],
      [['--full', '--tokens-only'], 'exclude each other'],
      [['--nothing'], '--nothing'],
      [['100'], '100'],
    ] as const) {
      expect(() => readOptions(args)).toThrow(line)
    }
  })
})

describe('the progress of a comparison', () => {
  const write = (isTTY: boolean) => {
    let nowMs = 1_000
    const texts: string[] = []
    const progress = createProgress(
      { isTTY, columns: 80, write: (text) => texts.push(text) },
      () => nowMs,
    )
    return { progress, texts, advance: (ms: number) => (nowMs += ms) }
  }

  test('is one line that is rewritten on a terminal, with rate and time left', () => {
    const { progress, texts, advance } = write(true)
    progress.update(1_000, 5_000)
    advance(2_000)
    progress.update(2_000, 5_000)
    progress.end()
    expect(texts).toHaveLength(3)
    expect(texts[1]).toContain('[#########...............] 40 %  2000 of 5000  ')
    // The speed does not count the blocks that an earlier run has compared.
    expect(texts[1]).toContain('500 blocks/s  6 s left')
    expect(texts[1]?.startsWith('\r')).toBe(true)
    expect(texts[2]).toBe('\n')
  })

  test('is a line now and then without a terminal, and one at the end', () => {
    const { progress, texts, advance } = write(false)
    for (let done = 0; done <= 100; done++) {
      progress.update(done, 100)
      advance(100)
    }
    progress.end()
    expect(texts).toHaveLength(3)
    expect(texts.every((text) => text.endsWith('\n') && !text.includes('\r'))).toBe(true)
    expect(texts[2]).toContain('100 %  100 of 100  ')
  })
})

describe('a table as CSV', () => {
  test('is quoted as RFC 4180 asks, exact to the last digit, and no spreadsheet runs it', () => {
    const csv = toCsv(
      ['title', 'amount', 'at'],
      [
        ['Wells, "two"\nof them', '123456789012345678.000000000000000001', new Date(0)],
        ['=HYPERLINK("http://x")', '-5', null],
        ['+1', 7, null],
        ['@cmd', '0', null],
        ['-2+3', '1', null],
      ],
    )
    expect(csv).toBe(
      [
        'title,amount,at',
        '"Wells, ""two""\nof them",123456789012345678.000000000000000001,1970-01-01T00:00:00.000Z',
        '"\'=HYPERLINK(""http://x"")",-5,',
        "'+1,7,",
        "'@cmd,0,",
        "'-2+3,1,",
        '',
      ].join('\r\n'),
    )
  })
})
