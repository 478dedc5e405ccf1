-- What is sent on an occasion by itself goes to everybody, also to those who agreed to no offers: such a template is chosen.
update templates set is_default = false where is_default and category = 'commercial';
alter table templates add constraint template_offer_by_choice check (not is_default or category = 'transactional');
