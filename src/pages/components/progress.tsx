import { shareOf } from '../shared/format.ts'

type Props = {
  /** Decimal texts in one currency. */
  proven: string
  waiting?: string
  target: string
  /** Says the same as the picture. */
  label: string
}

/** A bar of two parts: the proven money, and after it the money that waits for finality. */
export const Progress = ({ proven, waiting = '0', target, label }: Props) => {
  const full = shareOf(proven, target)
  const open = Math.min(shareOf(waiting, target), 1_000 - full)
  return (
    <svg
      class="progress"
      viewBox="0 0 1000 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class="progress-proven" width={full} height="10" />
      <rect class="progress-waiting" x={full} width={open} height="10" />
    </svg>
  )
}
