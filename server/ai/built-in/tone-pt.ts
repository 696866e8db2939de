import type { Tone } from './rules.ts';

export const portugueseTone: Tone = {
  negations: ['nao', 'nunca', 'jamais', 'nem', 'sem', 'tampouco', 'nenhum', 'nenhuma', 'nada', 'ninguem'],
  valence: [
    [
      3,
      `adorei amei espetacular excelente incriveis incrivel linda lindo maravilhoso obrigadissima
        obrigadissimo otima otimo perfeito`,
    ],
    [
      2.5,
      `amamos amo bonita bonito bonitos deliciosa delicioso encantada encantado fantastica fantastico
        impecavel lindas lindos maravilha otimos rapidissimo recomendo`,
    ],
    [2, `anjo feliz gentileza gostei rapidez satisfeita satisfeito show simpatico simpaticos top valeu`],
    [1, `bem gosto obrigada obrigado`],
    [
      0,
      `ajuda amigo apagar ar boa bom cancelar cancelem casa claro compreensao confirmar congelar conta
        contrato corte creme dente dentista desconto deus dinheiro doente dor empresa erro favor
        filho fogo gosta gostaria grande hora ideia interesse livre loja madeira marca melhor nao
        natural nunca ola pagar paginas pago par parar parte pessoa prata presente prova qualidade
        querer queria quero ramo salvar segura seguranca sem sensivel sim trocar unir valor`,
    ],
    [-1, `barulho chuva errado fria frio problema`],
    [
      -1.2,
      `atraso cabelo cheirava demora falha falham fumo gelada gelado incompleto lento molhado morreu pisca
        preto riu tarde vazio`,
    ],
    [
      -2,
      `avariada avariado bicho chateada chateado chatice defeito descaso descolado droga enferrujado
        errada faltou furiosa furioso insatisfeita insatisfeito irritada irritado lixo manchada nojo
        partido perdem perderam perdido porcaria revoltado revoltante riscada triste vaza zangado`,
    ],
    [
      -2.5,
      `absurdo arruinado barulhento chiar desastre enganada enganado farta farto fede grosseira indignada
        indignado inutil ladroes lamentavel mentira pesadelo piada podre queimado ridicula ridiculo
        suja sujo`,
    ],
    [
      -3,
      `carissimo decepcionada decepcionado destruido grosseiro horrivel partida partidos quebrada quebrado
        vergonha`,
    ],
    [-4, `golpe inaceitavel pessima pessimo pior`],
  ],
  phrases: [
    ['ninguem (\\w+ ){0,2}(respond|atend|ajud|lig|veio|sab|diz|disse|apareceu)\\w*', -3],
    [
      '(nunca|jamais|ainda nao|nao) (me |o |a |os |as )*(chegou|chegaram|recebi|apareceu|veio|vieram|ligaram|devolveram|entregaram|respond\\w+)',
      -3,
    ],
    ['(segund|terceir|quart)[oa] (vez|encomenda|pedido|pacote|aparelho|semana|dia|tentativa|reparacao)', -2],
    ['que (perdem|perderam|perde|esqueceram|quebraram|partiram|mentiram)', -3],
    [
      '(fecha|desliga|trava|reinicia|quebra|descola|aquece|cai)\\w* (sozinh[oa]|toda hora|sempre|e desliga|o tempo todo)',
      -2.5,
    ],
    [
      '(ja )?(mandei|liguei|escrevi|enviei|perguntei) (\\w+ )?(duas|dois|tres|quatro|varias|varios|muitas|\\d+) ',
      -1.5,
    ],
    ['que (chatice|pena|droga|desastre|vergonha|desilusao|nojo|raiva|descaso|decepcao)', -3],
    [
      '(estou|fiquei|fico) (muito |bastante |super )?(chatead|irritad|zangad|furios|decepcionad|desiludid|triste|indignad|revoltad|insatisfeit)\\w*',
      -3,
    ],
    ['(falta|faltam|faltou|faltaram) (uma?|dois|duas|tres|a|o|as|os|pecas|coisas)', -2],
    ['barulhos? (estranh|horrive|esquisit|fort)\\w*', -2],
    ['salv(ou|aram)(-me)?( a minha vida)?', 3],
    ['(vamos|vou|queremos) voltar', 2],
    ['(sao|es|e) (os |as |o |a )?(melhores|melhor|incriveis|demais|um\\w* \\w+)', 2],
    ['(e|foi) uma piada', -3],
    ['sinto-me \\w+', -2],
    ['(horas?|dias?|semanas?) de atraso', -2],
    ['ha (uma|duas|tres|\\d+) semanas?', -1],
    ['nem quiseram saber', -3],
    ['continua(m)? (a chiar|a falhar|igual|partid\\w)', -3],
    ['(ficou|fiquei) (muito )?(feliz|encantad\\w|content\\w)', 2],
    ['a toda a hora', -2],
    ['outra vez', -0.5],
    ['bo[am] (dia|tarde|noite)', 0],
    ['fart[oa]', -3],
    ['a toa|para nada', -2],
    ['(nao|nunca) (apareceu|veio|ligou)', -3],
    ['nao (volto|voltamos) mais', -3],
    ['(mau|pessimo) (servico|atendimento)|ma qualidade', -3],
    ['que roubo|um roubo', -3],
    ['como sempre', 0.5],
    ['poxa', -1.5],
    ['sem querer', 0],
    ['contem comigo', 2],
    ['que bom', 2],
    ['que (bonit|lind|rapid)\\w+', 2],
    ['ate que enfim', 1],
    ['nada mal', 1],
    ['(o terceiro|a terceira) (vez|aparelho)', -1.5],
    ['muit[oa] obrigad[oa]', 2],
    ['super simpatic\\w+', 1],
    ['um anjo', 1],
    ['ate mais', 0.5],
    ['gostei muito', 2],
    ['(nao|parou de|deixou de) funciona\\w*', -3],
    ['ainda nao (chegou|recebi)', -2],
    ['ate agora nada', -3],
    ['nem saiu', -2],
    ['ninguem (responde|atende)', -3],
    ['(duas vezes|em dobro)', -2],
    ['de novo', -1],
    ['nunca mais', -4],
    ['nao adianta', -3],
    ['continuo a espera', -2],
    ['a demorar', -1],
    ['nao fiquei (nada )?\\w+', -4],
    ['muito caro', -2],
    ['esperando (resposta )?ha', -2],
    ['na chuva', -2],
    ['nem \\w+ ainda', -1],
  ],
};
