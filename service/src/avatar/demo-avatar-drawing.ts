/**
 * Drawing of the demo avatar: Skerry, an otter in a sou'wester, seen through a porthole. Drawn for this project, under
 * its licence.
 *
 * Colours are custom properties, so it can be drawn for light and for dark pages. Paths with an id move.
 */
export const demoAvatarDrawing = `
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240">
  <title>Skerry, an otter in a sou&apos;wester</title>
  <defs>
    <clipPath id="avatar-port"><circle cx="120" cy="120" r="105"/></clipPath>
    <clipPath id="avatar-mouth-clip">
      <path id="avatar-mouth-inside" d="M95 156 C103 165 113 165 120 159 C127 165 137 165 145 156 C137 165 127 165 120 159 C113 165 103 165 95 156 Z"/>
    </clipPath>
    <clipPath id="avatar-dome-clip">
      <path d="M66 88 C64 50 88 27 121 27 C154 27 176 50 174 88 C140 76 100 76 66 88 Z"/>
    </clipPath>
  </defs>

  <g clip-path="url(#avatar-port)">
    <circle cx="120" cy="120" r="106" fill="var(--avatar-sky)"/>
    <path d="M0 112 C26 100 46 100 70 110 C98 122 138 86 172 98 C200 108 214 112 240 100 L240 240 L0 240 Z" fill="var(--avatar-shoal)"/>
    <path d="M0 146 C30 132 52 134 78 144 C112 156 146 122 180 132 C204 140 220 146 240 134 L240 240 L0 240 Z" fill="var(--avatar-water)"/>
    <path d="M0 182 C34 166 62 172 88 180 C122 190 150 160 184 168 C208 174 222 180 240 170 L240 240 L0 240 Z" fill="var(--avatar-deep)"/>
    <g fill="none" stroke="var(--avatar-tick)" stroke-width="1" stroke-opacity="0.55">
      <path d="M0 112 C26 100 46 100 70 110 C98 122 138 86 172 98 C200 108 214 112 240 100"/>
      <path d="M0 146 C30 132 52 134 78 144 C112 156 146 122 180 132 C204 140 220 146 240 134"/>
    </g>

    <g stroke="var(--avatar-line)" stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round">
      <path d="M22 250 C24 214 52 196 88 190 L152 190 C188 196 216 214 218 250 Z" fill="var(--avatar-oilskin)"/>
      <path d="M120 214 L120 244" fill="none"/>
      <path d="M88 190 C72 194 60 200 56 208 L92 232 L120 214 L148 232 L184 208 C180 200 168 194 152 190 Z" fill="var(--avatar-oilskin-shade)"/>
      <path d="M76 184 C92 202 148 202 164 184 C168 196 160 208 146 213 C130 218 110 218 94 213 C80 208 72 196 76 184 Z" fill="var(--avatar-scarf)"/>
      <path d="M112 210 C104 220 100 232 100 240 L116 232 L126 240 C128 228 126 218 122 210 Z" fill="var(--avatar-scarf)"/>
    </g>

    <g stroke="var(--avatar-line)" stroke-width="3.5" stroke-linejoin="round">
      <path d="M66 100 C54 92 42 100 43 113 C44 124 55 129 64 123 Z" fill="var(--avatar-fur-shade)"/>
      <path d="M174 100 C186 92 198 100 197 113 C196 124 185 129 176 123 Z" fill="var(--avatar-fur-shade)"/>
      <path d="M120 66 C158 66 182 92 183 128 C184 150 174 166 160 176 C148 185 134 189 120 189 C106 189 92 185 80 176 C66 166 56 150 57 128 C58 92 82 66 120 66 Z" fill="var(--avatar-fur)"/>
    </g>
    <path d="M59 118 C62 92 82 68 120 68 C158 68 178 92 181 118 C168 100 146 94 120 94 C94 94 72 100 59 118 Z" fill="var(--avatar-fur-shade)"/>

    <g fill="none" stroke="var(--avatar-line)" stroke-width="3.5" stroke-linecap="round">
      <path id="avatar-brow-left" d="M82 108 C87 102 95 101 101 104"/>
      <path id="avatar-brow-right" d="M139 103 C146 99 154 101 158 107"/>
    </g>
    <g fill="var(--avatar-line)" stroke="var(--avatar-line)" stroke-width="3.5" stroke-linejoin="round">
      <path id="avatar-eye-left" d="M86 121 C86 115 89 111 93 111 C97 111 100 115 100 121 C100 127 97 131 93 131 C89 131 86 127 86 121 Z"/>
      <path id="avatar-eye-right" d="M140 121 C140 115 143 111 147 111 C151 111 154 115 154 121 C154 127 151 131 147 131 C143 131 140 127 140 121 Z"/>
    </g>
    <g fill="var(--avatar-glint)">
      <path id="avatar-glint-left" d="M93 116 C93 114 94 113 96 113 C98 113 99 114 99 116 C99 118 98 119 96 119 C94 119 93 118 93 116 Z"/>
      <path id="avatar-glint-right" d="M147 116 C147 114 148 113 150 113 C152 113 153 114 153 116 C153 118 152 119 150 119 C148 119 147 118 147 116 Z"/>
    </g>

    <path id="avatar-jaw" d="M92 156 C94 172 106 180 120 180 C134 180 146 172 148 156 Z" fill="var(--avatar-cream-shade)" stroke="var(--avatar-line)" stroke-width="3.5" stroke-linejoin="round"/>
    <path id="avatar-mouth" d="M95 156 C103 165 113 165 120 159 C127 165 137 165 145 156 C137 165 127 165 120 159 C113 165 103 165 95 156 Z" fill="var(--avatar-mouth)" stroke="var(--avatar-line)" stroke-width="3.5" stroke-linejoin="round"/>
    <g clip-path="url(#avatar-mouth-clip)">
      <path id="avatar-tongue" d="M100 176 C108 168 132 168 140 176 C142 190 132 200 120 200 C108 200 98 190 100 176 Z" fill="var(--avatar-tongue)"/>
    </g>

    <path d="M120 135 C131 130 150 131 155 143 C159 153 152 163 141 164 C132 165 124 163 120 158 C116 163 108 165 99 164 C88 163 81 153 85 143 C90 131 109 130 120 135 Z" fill="var(--avatar-cream)" stroke="var(--avatar-line)" stroke-width="3.5" stroke-linejoin="round"/>
    <path d="M120 144 L120 157" fill="none" stroke="var(--avatar-line)" stroke-width="3" stroke-linecap="round"/>
    <path d="M120 147 C114 147 105 139 105 133 C105 128 112 126 120 126 C128 126 135 128 135 133 C135 139 126 147 120 147 Z" fill="var(--avatar-line)"/>
    <path d="M111 132 C113 129 119 129 122 130" fill="none" stroke="var(--avatar-glint)" stroke-opacity="0.75" stroke-width="2.2" stroke-linecap="round"/>
    <g fill="var(--avatar-line)">
      <circle cx="98" cy="147" r="1.6"/><circle cx="94" cy="153" r="1.6"/><circle cx="102" cy="154" r="1.6"/>
      <circle cx="142" cy="147" r="1.6"/><circle cx="146" cy="153" r="1.6"/><circle cx="138" cy="154" r="1.6"/>
    </g>
    <g fill="none" stroke="var(--avatar-line)" stroke-width="1.8" stroke-linecap="round">
      <path id="avatar-whiskers-left" d="M84 146 C70 142 56 142 44 146 M84 152 C70 152 56 155 46 162 M88 158 C78 162 66 168 58 177"/>
      <path id="avatar-whiskers-right" d="M156 146 C170 142 184 142 196 146 M156 152 C170 152 184 155 194 162 M152 158 C162 162 174 168 182 177"/>
    </g>

    <g stroke="var(--avatar-line)" stroke-width="3.5" stroke-linejoin="round">
      <path d="M66 88 C64 50 88 27 121 27 C154 27 176 50 174 88 C140 76 100 76 66 88 Z" fill="var(--avatar-oilskin)"/>
    </g>
    <g clip-path="url(#avatar-dome-clip)">
      <path d="M146 26 C162 44 166 66 162 92 L182 92 L182 26 Z" fill="var(--avatar-oilskin-shade)"/>
      <path d="M84 66 C86 50 94 40 106 35" fill="none" stroke="var(--avatar-glint)" stroke-opacity="0.6" stroke-width="4" stroke-linecap="round"/>
    </g>
    <path d="M66 88 C64 50 88 27 121 27 C154 27 176 50 174 88" fill="none" stroke="var(--avatar-line)" stroke-width="3.5"/>
    <path d="M38 106 C36 94 48 84 68 78 C102 68 138 68 172 78 C192 84 204 94 202 106 C200 112 192 110 186 106 C148 88 92 88 54 106 C48 110 40 112 38 106 Z" fill="var(--avatar-oilskin)" stroke="var(--avatar-line)" stroke-width="3.5" stroke-linejoin="round"/>
    <path d="M48 100 C88 78 152 78 192 100" fill="none" stroke="var(--avatar-oilskin-shade)" stroke-width="3" stroke-linecap="round"/>
    <path d="M120 40 L124 52 L136 56 L124 60 L120 72 L116 60 L104 56 L116 52 Z" fill="var(--avatar-line)"/>
  </g>

  <g fill="none">
    <circle cx="120" cy="120" r="106" stroke="var(--avatar-tick)" stroke-width="2"/>
    <circle cx="120" cy="120" r="111.5" stroke="var(--avatar-tick)" stroke-width="6" stroke-dasharray="1.2 8.5299" stroke-dashoffset="0.6"/>
    <circle cx="120" cy="120" r="117" stroke="var(--avatar-tick)" stroke-width="1.2"/>
  </g>
</svg>
`.trim();
