export const en = {
  badRequest: {
    title: 'This does not work',
    what: 'The page got something that it does not understand. Go back and try again.',
  },
  signIn: { title: 'Please sign in', what: 'This page is only for people with an account.' },
  forbidden: { title: 'Not allowed', what: 'Your account may not do this.' },
  notFound: {
    title: 'Page not found',
    what: 'There is no page at this address. It may have moved, or the address has a mistake.',
  },
  conflict: {
    title: 'This is not possible now',
    what: 'Something has changed in the meantime. Go back and load the page again.',
  },
  gone: { title: 'No longer here', what: 'This page was removed.' },
  tooMany: {
    title: 'Too many requests',
    what: 'Your network has asked for too many pages in a short time.',
  },
  legal: {
    title: 'Not available in your country',
    what: 'The law forbids us to serve visitors from your country. You have paid nothing.',
  },
  ours: {
    title: 'Something went wrong on our side',
    what: 'The error was logged. Nothing that you have paid is lost. Try again in a minute.',
  },
  unavailable: {
    title: 'Not available for a moment',
    what: 'Nothing is lost. This page tries again by itself.',
  },
  /** `number` is a whole number of seconds. */
  retry: (seconds: number) => `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  request: 'Request',
  home: 'All campaigns',
}

export type ErrorTexts = typeof en

/** The kinds of refusals that have a text of their own. */
export type ErrorKind = Exclude<keyof ErrorTexts, 'retry' | 'request' | 'home'>
