import type { LayoutTexts } from './en.ts'

export const es: LayoutTexts = {
  name: 'Fundproof',
  description:
    'Micromecenazgo en el que una cadena de bloques pública prueba cada céntimo abonado.',
  skip: 'Ir al contenido',
  menu: 'Menú principal',
  campaigns: 'Campañas',
  check: 'Comprobar una prueba',
  account: 'Cuenta',
  signIn: 'Entrar',
  more: 'Más',
  promise: 'Fundproof nunca guarda el dinero. Lleva libros que todos pueden comprobar.',
  status: 'Estado',
  api: 'Para desarrolladores',
  language: 'Idioma',
  theme: 'Colores',
  themes: { auto: 'Como el dispositivo', light: 'Claro', dark: 'Oscuro' },
  notLive: 'Sin datos en directo desde las {time}. Reintentando…',
}
