/** JSON values of about `size` characters. Each has a shape that some parser handles badly. */
export const HOSTILE_JSON: Readonly<Record<string, (size: number) => string>> = {
  'one long number': (size) => `0.1${'0'.repeat(size)}1`,
  'one long integer': (size) => '9'.repeat(size),
  'one long exponent': (size) => `1e${'9'.repeat(size)}`,
  'many short numbers': (size) => `[${list('7', size)}]`,
  'many fractions': (size) => `[${list('12.5', size)}]`,
  'many numbers beyond a double': (size) => `[${list('0.12345678901234567891', size)}]`,
  'many numbers of the longest kind': (size) => `[${list(`0.1${'0'.repeat(96)}1`, size)}]`,
  'deep arrays': (size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
  'deep objects': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'brackets that never end': (size) => '['.repeat(size),
  'a long text': (size) => `"${'a'.repeat(size)}"`,
  'a long text of digits': (size) => `"${'1'.repeat(size)}"`,
  'a long text of zeros': (size) => `"0.1${'0'.repeat(size)}1"`,
  'a long text of blanks': (size) => `"a${' '.repeat(size)}b"`,
  'a long text of dots': (size) => `"${'.'.repeat(size)}"`,
  'a long text of signs of addresses': (size) => `"${'a@'.repeat(size / 2)}"`,
  'a long text of hexadecimal digits': (size) => `"0x${'0'.repeat(size)}g"`,
  'a long address of the web': (size) => `"http://${'a.'.repeat(size / 2)}/"`,
  'a long address of the web beyond ASCII': (size) => `"http://${'ä'.repeat(size / 2)}/"`,
  'a text that never ends': (size) => `"${'a'.repeat(size)}`,
  'quotes that never end': (size) => `"${'\\"'.repeat(size / 2)}`,
  'many escapes': (size) => `"${'\\u0041'.repeat(size / 6)}"`,
  'many escaped backslashes': (size) => `"${'\\\\'.repeat(size / 2)}"`,
  'many texts': (size) => `[${list('"a"', size)}]`,
  'many empty objects': (size) => `[${list('{}', size)}]`,
  'many keys': (size) => `{${listOf(size, (n) => `"k${n}":1`)}}`,
  'many keys that are numbers': (size) => `{${listOf(size, (n) => `"${n * 65_536}":1`)}}`,
  'one key many times': (size) => `{${list('"a":1', size)}}`,
  'many keys and a number beyond a double': (size) =>
    `{"x":0.12345678901234567891,${listOf(size, (n) => `"k${n}":1`)}}`,
}

const list = (item: string, size: number): string => listOf(size, () => item)

const listOf = (size: number, item: (index: number) => string): string => {
  const items: string[] = []
  for (let length = 0; length < size; length += items.at(-1)?.length ?? 0) {
    items.push(item(items.length))
    length++
  }
  return items.join(',')
}
