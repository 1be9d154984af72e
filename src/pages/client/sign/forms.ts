type Fields = Readonly<Record<string, string>>

/** Asks the server for the message that the wallet signs; undefined if it refuses. */
export const askForMessage = async (
  path: string,
  fields: Fields,
): Promise<{ nonce: string; message: string } | undefined> => {
  try {
    const answer = await fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
    // A sign-in that has ended leads to another page, which is no message.
    if (!answer.ok || answer.redirected) return undefined
    return (await answer.json()) as { nonce: string; message: string }
  } catch {
    return undefined
  }
}

/** Sends a form as a person would, so that the browser shows the page of the answer. */
export const sendForm = (path: string, fields: Fields): void => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = path
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
