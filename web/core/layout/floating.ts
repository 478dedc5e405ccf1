/** Menus, dialogs and side sheets are drawn inside the main landmark, so that screen readers meet them there. */
export const floatingId = 'floating'
