/** Takes the token of a claim link out of the address, and puts it into the form. */

const TOKEN = /^[\w-]{43}$/

const field = document.querySelector<HTMLInputElement>('form[action="/claim"] [name="token"]')
const token = location.hash.slice(1)
if (field && TOKEN.test(token)) {
  field.value = token
  history.replaceState(null, '', location.pathname + location.search)
}

export {}
