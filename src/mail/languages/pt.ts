import type { MailTexts } from '../templates.ts'

export const pt: MailTexts = {
  verify_email: ({ code, minutes }) => ({
    subject: `${code} é o seu código da Fundproof`,
    text: `O seu código para confirmar este endereço de e-mail é

    ${code}

É válido durante ${minutes} minutos. Se não o pediu, pode ignorar esta mensagem.
`,
  }),
  reset_password: ({ code, minutes }) => ({
    subject: 'O seu código para escolher uma nova palavra-passe',
    text: `O seu código para escolher uma nova palavra-passe da Fundproof é

    ${code}

É válido durante ${minutes} minutos. Se não o pediu, ignore esta mensagem: a sua palavra-passe não
muda. Não dê este código a ninguém.
`,
  }),
  endpoint_disabled: ({ url, reason }) => ({
    subject: 'Um dos seus endpoints de webhook foi desativado',
    text: `Já não enviamos eventos para

    ${url}

${
  reason === 'gone'
    ? 'Respondeu 410 Gone, o que nos pede para parar.'
    : 'Todas as tentativas dos últimos cinco dias falharam.'
}
Os eventos que ocorram entretanto não se perdem: constam da sua conta.
`,
  }),
}
