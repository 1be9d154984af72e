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
  password_changed: ({ isKept, wallets, webhooks, campaigns, roles }) => ({
    subject: 'Tu contraseña ha cambiado',
    text: `${
      isKept
        ? `Tu contraseña de Fundproof se ha cambiado en una sesión abierta. Todas las demás sesiones han
terminado. Las claves de API, los webhooks y las carteras siguen activos.`
        : `Tu contraseña de Fundproof se ha cambiado. Todas las demás sesiones y las claves de API han
terminado, los webhooks están en pausa, y una cartera solo puede entrar si la vinculas de nuevo.`
    }
${listsOf('Esto queda en tu cuenta. Elimina lo que no sea tuyo:', [
  ['Carteras', wallets],
  ['Webhooks', webhooks],
  ['Campañas', campaigns],
  ['Funciones', roles],
])}
Si no has sido tú, elige enseguida una nueva contraseña, con un código que enviamos a esta dirección.
`,
  }),
  change_email: ({ code, minutes }) => ({
    subject: `${code} es tu código de Fundproof`,
    text: `Tu código para usar esta dirección de correo en tu cuenta de Fundproof es

    ${code}

Es válido durante ${minutes} minutos. Si no lo has pedido, ignora este mensaje: nada cambia. No des
este código a nadie.
`,
  }),
  email_taken: () => ({
    subject: 'Esta dirección ya tiene una cuenta de Fundproof',
    text: `Una cuenta de Fundproof iba a recibir esta dirección de correo, que ya pertenece a otra cuenta. Nada
ha cambiado.

Si lo has pedido tú, entra en la cuenta que tiene esta dirección y ponle otra o elimínala. Si
no lo has pedido, ignora este mensaje.
`,
  }),
  account_changed: (values) =>
    values.change === 'wallet'
      ? {
          subject: 'Se ha vinculado una cartera a tu cuenta',
          text: `Esta cartera puede entrar ahora en tu cuenta de Fundproof:

    ${values.wallet}

Si no has sido tú, elige enseguida una nueva contraseña, con un código que enviamos a esta dirección.
Después la cartera ya no puede entrar.
`,
        }
      : {
          subject: 'Tu dirección de correo ha cambiado',
          text: `Tu cuenta de Fundproof tiene desde ahora otra dirección de correo. Este es el último mensaje a la
anterior.

Si no has sido tú, avisa enseguida al operador de este servicio.
`,
        },
}
