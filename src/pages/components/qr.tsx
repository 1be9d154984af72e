import encodeQR from 'qr'

/** The empty margin around a code, in modules. */
const QUIET = 4

type Props = {
  text: string
  /** Says what the code contains: amount, asset, account and chain. */
  label: string
}

/** A QR code, always black on white, because many cameras cannot read it otherwise. */
export const Qr = ({ text, label }: Props) => {
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: QUIET })
  const size = modules.length
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.map(lineOf).join('')} fill="#000" />
    </svg>
  )
}

/** The dark modules of a line, as squares of a path. */
const lineOf = (line: readonly boolean[], y: number): string =>
  line.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')
