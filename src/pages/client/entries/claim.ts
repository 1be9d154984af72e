/** Takes the token of a claim link out of the address, and puts it into the form. */

const TOKEN = /^[\w-]{43}$/

const form = document.querySelector<HTMLFormElement>('form[action="/claim"]')
const token = location.hash.slice(1)
if (form && TOKEN.test(token)) {
  const field = form.querySelector<HTMLInputElement>('input[name="token"]') ?? addField(form)
  field.value = token
  history.replaceState(null, '', location.pathname + location.search)
}

/** The form has no field if the server keeps the token of an earlier link. The new link counts. */
function addField(to: HTMLFormElement): HTMLInputElement {
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'token'
  to.append(field)
  return field
}

export {}
