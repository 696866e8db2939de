import type { Tone } from './rules.ts';

export const spanishTone: Tone = {
  negations: ['no', 'nunca', 'jamas', 'ni', 'sin', 'tampoco', 'nada', 'nadie'],
  valence: [
    [
      3,
      `buenisima buenisimo divino encanta encantan estupendo excelente genial maravilloso perfecto preciosa
        precioso`,
    ],
    [
      2.5,
      `bonita bonito bonitos deliciosa delicioso encantada encantado espectacular fantastica fantastico
        hermosa hermosas hermoso hermosos impecable linda lindo maravilla rapidisimo recomendable`,
    ],
    [2, `amable amables contenta contento feliz mejores rapidez rico sol`],
    [1, `bien gracias gusta`],
    [0.5, `mil`],
    [
      0,
      `abierto activo acuerdo amigo ayuda buen buenas bueno buenos calidad cambiar cancelar cancelen casa
        claro confirman congelar contrato corte crema cuenta dentista descuento dios duele efectivo
        empresa enfermo entender error favor fuego gran grande gustaria hijo hola importa interesa
        libre limite logo madera mejor muela muerte natural no nunca oro pagar paginas pago pagos
        perder perro persona pesca presupuesto prueba querer queria quiero quisiera recibida regalo
        saldria seguro sensible si solo tarifas tienda unir vale`,
    ],
    [-1, `equivocada fria frio lluvia problema ruido`],
    [
      -1.2,
      `demora falla fallan helada humo incompleto lento mojado muerto negra olia parpadea pelo retraso rio
        tarde vacio`,
    ],
    [
      -2,
      `asco averiada averiado basura bicho caca cucaracha descompuesto despegado enfadada enfadado enojada
        enojado equivocado faltaba fastidio furiosa furioso indignante mal manchada molesta molesto
        oxidado perdido perdieron pierde pierden porqueria rayada triste`,
    ],
    [
      -2.5,
      `apesta arruinado chirriando desastre enganada enganado estafada estafado fatal grosera grosero harta
        harto indignada indignado inservible ladrones lamentable mentira patetico penoso pesadilla
        podrido quemado ruidoso sucia sucio`,
    ],
    [
      -3,
      `carisimo danado decepcionada decepcionado destrozada destrozado horrible maleducado rota rotas roto
        rotos verguenza`,
    ],
    [-4, `estafa inaceptable peor pesima pesimo`],
  ],
  phrases: [
    ['(nadie|ninguno) (\\w+ ){0,2}(contest|respond|ayud|llam|vin|atiend|atend|sab|dice|dijo)\\w*', -3],
    [
      '(nunca|jamas|todavia no|aun no|no) (me |lo |la |los |las )*(llego|llegaron|recibi|aparecio|vino|vinieron|llamaron|devolvieron|entregaron|contest\\w+)',
      -3,
    ],
    ['(segund|tercer|cuart)[oa]? (vez|paquete|pedido|aparato|semana|dia|intento|reparacion)', -2],
    ['(que|me) (pierden|perdieron|pierde|olvidaron|rompieron|mintieron|ignoran)', -3],
    [
      'se (cierra|apaga|calienta|cuelga|traba|rompe|despega|desarma|reinicia|cae|moja|oxida)\\w*( sol[oa])?',
      -2.5,
    ],
    [
      '(he mandado|mande|llame|escribi|he llamado|he escrito|ya pregunte) (\\w+ )?(dos|tres|cuatro|varias|varios|muchas|\\d+) ',
      -1.5,
    ],
    ['que (fastidio|pena|mal|desastre|verguenza|decepcion|asco|rabia)', -3],
    [
      '(estoy|quede|quedo) (muy |bastante |super )?(molest|enojad|enfadad|furios|decepcionad|triste|indignad|descontent)\\w*',
      -3,
    ],
    ['(falta|faltan|faltaba|faltaban) (una?|dos|tres|la|el|las|los|piezas|cosas)', -2],
    ['ruidos? (raro|horrible|extrano|fuerte|infernal)s?', -2],
    ['me salv\\w+', 3],
    ['(vamos a|vamos|pienso|voy a) volver', 2],
    ['(son|eres|sois) (l[oa]s? )?(mejores|mejor|genial\\w*|un\\w* \\w+)', 2],
    ['tomadura de pelo', -3],
    ['me siento \\w+ad[oa]', -2],
    ['(horas?|dias?|semanas?) de retraso', -2],
    ['lleva (una|dos|tres|\\d+) (semana|dia|mes)\\w*', -2],
    ['pas(an|aron) de (mi|nosotros)', -3],
    ['sigue(n)? (chirriando|fallando|igual|mal|rot\\w)', -3],
    ['(quedo|quede|estoy) (muy )?(feliz|encantad\\w|content\\w)', 2],
    ['cada dos por tres', -2],
    ['otra vez', -0.5],
    ['la verdad', 0],
    ['buen[oa]s (dias|tardes|noches)', 0],
    ['buen dia', 0],
    ['(estoy|ya) hart[oa]', -3],
    ['hart[oa] de', -3],
    ['para nada', -2],
    ['(no|nunca) (aparecio|vino|llamo|se presento)', -3],
    ['no (pensamos|pienso) volver', -3],
    ['mal[oa] (servicio|atencion|calidad|experiencia)|mal servicio', -3],
    ['menudo robo|es un robo|un robo', -3],
    ['como siempre', 0.5],
    ['venga ya', -1.5],
    ['sin querer|por error', 0],
    ['llevo \\w+ dias', -1],
    ['cuenten conmigo', 2],
    ['de nuevo mal', -2],
    ['por fin', 1],
    ['que bien', 2],
    ['que (bonit|lind|rapid)\\w+', 2],
    ['no esta mal', 1],
    ['la (tercera|segunda) vez|el tercer aparato', -1.5],
    ['(muchas|mil|muchisimas) gracias', 2],
    ['muy amables?', 1],
    ['eres un sol', 1],
    ['nos vemos', 1],
    ['me gusta mucho', 2],
    ['espero que (esteis|esten|estes)', 2],
    ['(no|dejo de|dejaron de) funciona\\w*', -3],
    ['todavia no (llega|ha llegado|llego)', -2],
    ['ni siquiera', -2],
    ['nadie (contesta|responde)', -3],
    ['(dos veces|doble)', -2],
    ['otra vez', -1],
    ['no vuelvo', -4],
    ['no hay caso', -3],
    ['sigo esperando', -2],
    ['demasiado', -1],
    ['no estoy (nada )?(content|satisfech)\\w', -5],
    ['muy caro', -2],
    ['dias esperando', -2],
    ['hace (dos|tres|\\d+) semanas', -1],
    ['bajo la lluvia', -2],
  ],
};
