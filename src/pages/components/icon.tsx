/** The lines of each icon in a square of 16. */
const PATHS = {
  check: 'M3 8.5l3.5 3.5L13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2L1.5 13.5h13zM8 6.5v3M8 11.4v.2',
  info: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 7.5V11M8 5v.2',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
} as const

export type IconName = keyof typeof PATHS

/** A small picture that repeats what the text beside it says. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
