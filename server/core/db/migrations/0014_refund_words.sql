-- A refund says how the money went back; until now every letter spoke of cards.
update message_templates set body = regexp_replace(body, E'(\\{\\{adjustment\\}\\}\n\n)[^\n]+(\n\n)', E'\\1{{wayBack}}\\2') where kind = 'refund';
