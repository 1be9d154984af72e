import { listsOf, type MailTexts } from '../templates.ts'

export const es: MailTexts = {
  verify_email: ({ code, minutes }) => ({
    subject: `${code} es tu código de Fundproof`,
    text: `Tu código para confirmar esta dirección de correo es

    ${code}

Es válido durante ${minutes} minutos. Si no lo has pedido, puedes ignorar este mensaje.
`,
  }),
  reset_password: ({ code, minutes }) => ({
    subject: 'Tu código para elegir una nueva contraseña',
    text: `Tu código para elegir una nueva contraseña de Fundproof es

    ${code}

Es válido durante ${minutes} minutos. Si no lo has pedido, ignora este mensaje: tu contraseña no
cambia. No des este código a nadie.
`,
  }),
  endpoint_disabled: ({ url, reason }) => ({
    subject: 'Uno de tus endpoints de webhook ha sido desactivado',
    text: `Ya no enviamos eventos a

    ${url}

${
  reason === 'gone'
    ? 'Respondió 410 Gone, con lo que nos pide que paremos.'
    : 'Todos los intentos de los últimos cinco días han fallado.'
}
Los eventos que ocurran mientras tanto no se pierden: figuran en tu cuenta.
`,
  }),
  password_changed: ({ wallets, webhooks, campaigns, roles }) => {
    const remaining = listsOf([
      ['Carteras', wallets],
      ['Webhooks', webhooks],
      ['Campañas', campaigns],
      ['Funciones', roles],
    ])
    return {
      subject: 'Tu contraseña ha cambiado',
      text: `Tu contraseña de Fundproof se ha cambiado con un código que enviamos a esta dirección. Todas las
sesiones y claves de API han terminado, y todos los webhooks están en pausa.

${
  remaining === ''
    ? 'No queda nada más en tu cuenta.'
    : `Esto queda en tu cuenta. Elimina lo que no sea tuyo:

${remaining}`
}
`,
    }
  },
}
