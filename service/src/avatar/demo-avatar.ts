import type { AvatarBundle } from './avatar-bundle.js';
import { demoAvatarDrawing } from './demo-avatar-drawing.js';

/** Id of the avatar that comes with the service. */
export const DEMO_AVATAR_ID = 'demo';

/** The avatar that comes with the service: drawing, colours and movements. Increase `revision` with any change. */
export const demoAvatar: AvatarBundle = {
  version: 1,
  avatar: { id: DEMO_AVATAR_ID, name: 'Skerry' },
  revision: 2,
  svg: demoAvatarDrawing,
  colors: {
    light: {
      '--avatar-sky': '#e2f1f5',
      '--avatar-shoal': '#d1e9f1',
      '--avatar-water': '#bcdfeb',
      '--avatar-deep': '#a5d3e4',
      '--avatar-tick': '#14262e',
      '--avatar-line': '#14262e',
      '--avatar-fur': '#a8754a',
      '--avatar-fur-shade': '#855834',
      '--avatar-cream': '#f8ead0',
      '--avatar-cream-shade': '#e6cfa4',
      '--avatar-oilskin': '#f2c14b',
      '--avatar-oilskin-shade': '#d79d2c',
      '--avatar-scarf': '#b0247b',
      '--avatar-mouth': '#55152d',
      '--avatar-tongue': '#e27a8f',
      '--avatar-glint': '#ffffff',
    },
    dark: {
      '--avatar-sky': '#10303f',
      '--avatar-shoal': '#153e50',
      '--avatar-water': '#1b4e63',
      '--avatar-deep': '#23617a',
      '--avatar-tick': '#d5dedc',
      '--avatar-line': '#0b161c',
      '--avatar-fur': '#946540',
      '--avatar-fur-shade': '#6f482a',
      '--avatar-cream': '#e3d2b0',
      '--avatar-cream-shade': '#c4ac80',
      '--avatar-oilskin': '#d9a838',
      '--avatar-oilskin-shade': '#b07f20',
      '--avatar-scarf': '#c4458f',
      '--avatar-mouth': '#3f0f22',
      '--avatar-tongue': '#c9647a',
      '--avatar-glint': '#f2f6f5',
    },
  },
  mouth: {
    silentDb: -36,
    loudDb: -8,
    attackMs: 30,
    releaseMs: 80,
    shapes: [
      {
        open: 0,
        paths: {
          'avatar-mouth':
            'M95 156 C103 165 113 165 120 159 C127 165 137 165 145 156 C137 165 127 165 120 159 C113 165 103 165 95 156 Z',
          'avatar-mouth-inside':
            'M95 156 C103 165 113 165 120 159 C127 165 137 165 145 156 C137 165 127 165 120 159 C113 165 103 165 95 156 Z',
          'avatar-jaw': 'M92 156 C94 172 106 180 120 180 C134 180 146 172 148 156 Z',
          'avatar-tongue': 'M100 176 C108 168 132 168 140 176 C142 190 132 200 120 200 C108 200 98 190 100 176 Z',
          'avatar-brow-left': 'M82 108 C87 102 95 101 101 104',
          'avatar-brow-right': 'M139 103 C146 99 154 101 158 107',
          'avatar-whiskers-left':
            'M84 146 C70 142 56 142 44 146 M84 152 C70 152 56 155 46 162 M88 158 C78 162 66 168 58 177',
          'avatar-whiskers-right':
            'M156 146 C170 142 184 142 196 146 M156 152 C170 152 184 155 194 162 M152 158 C162 162 174 168 182 177',
        },
      },
      {
        open: 0.4,
        paths: {
          'avatar-mouth':
            'M97 157 C103 164 113 165 120 159 C127 165 137 164 143 157 C142 170 132 177 120 177 C108 177 98 170 97 157 Z',
          'avatar-mouth-inside':
            'M97 157 C103 164 113 165 120 159 C127 165 137 164 143 157 C142 170 132 177 120 177 C108 177 98 170 97 157 Z',
          'avatar-jaw': 'M91 156 C92 178 105 188 120 188 C135 188 148 178 149 156 Z',
          'avatar-tongue': 'M103 174 C110 168 130 168 137 174 C140 188 131 198 120 198 C109 198 100 188 103 174 Z',
          'avatar-brow-left': 'M82 107 C87 100 95 99 101 102',
          'avatar-brow-right': 'M139 101 C146 97 154 99 158 105',
          'avatar-whiskers-left':
            'M84 146 C70 141 56 140 44 143 M84 152 C70 152 56 154 45 160 M88 158 C78 162 66 168 57 176',
          'avatar-whiskers-right':
            'M156 146 C170 141 184 140 196 143 M156 152 C170 152 184 154 195 160 M152 158 C162 162 174 168 183 176',
        },
      },
      {
        open: 1,
        paths: {
          'avatar-mouth':
            'M96 157 C103 164 113 164 120 159 C127 164 137 164 144 157 C148 177 136 190 120 190 C104 190 92 177 96 157 Z',
          'avatar-mouth-inside':
            'M96 157 C103 164 113 164 120 159 C127 164 137 164 144 157 C148 177 136 190 120 190 C104 190 92 177 96 157 Z',
          'avatar-jaw': 'M89 156 C86 184 102 200 120 200 C138 200 154 184 151 156 Z',
          'avatar-tongue': 'M98 184 C106 173 134 173 142 184 C145 198 132 206 120 206 C108 206 95 198 98 184 Z',
          'avatar-brow-left': 'M82 105 C87 97 95 96 101 99',
          'avatar-brow-right': 'M139 98 C146 94 154 96 158 102',
          'avatar-whiskers-left':
            'M84 146 C70 139 56 137 44 138 M84 152 C70 151 56 152 44 157 M88 158 C78 161 66 166 56 173',
          'avatar-whiskers-right':
            'M156 146 C170 139 184 137 196 138 M156 152 C170 151 184 152 196 157 M152 158 C162 161 174 166 184 173',
        },
      },
    ],
    forms: {
      round: {
        'avatar-mouth':
          'M104 158 C107 163 114 164 120 160 C126 164 133 163 136 158 C138 174 130 184 120 184 C110 184 102 174 104 158 Z',
        'avatar-mouth-inside':
          'M104 158 C107 163 114 164 120 160 C126 164 133 163 136 158 C138 174 130 184 120 184 C110 184 102 174 104 158 Z',
        'avatar-jaw': 'M94 157 C94 180 106 194 120 194 C134 194 146 180 146 157 Z',
        'avatar-tongue': 'M106 182 C111 176 129 176 134 182 C137 194 130 202 120 202 C110 202 103 194 106 182 Z',
      },
      spread: {
        'avatar-mouth':
          'M91 155 C101 164 112 165 120 159 C128 165 139 164 149 155 C146 168 133 173 120 173 C107 173 94 168 91 155 Z',
        'avatar-mouth-inside':
          'M91 155 C101 164 112 165 120 159 C128 165 139 164 149 155 C146 168 133 173 120 173 C107 173 94 168 91 155 Z',
        'avatar-jaw': 'M87 155 C89 175 104 184 120 184 C136 184 151 175 153 155 Z',
        'avatar-tongue': 'M102 171 C109 166 131 166 138 171 C141 185 131 195 120 195 C109 195 99 185 102 171 Z',
      },
      teeth: {
        'avatar-mouth':
          'M93 156 C103 164 113 165 120 160 C127 165 137 164 147 156 C144 166 132 169 120 169 C108 169 96 166 93 156 Z',
        'avatar-mouth-inside':
          'M93 156 C103 164 113 165 120 160 C127 165 137 164 147 156 C144 166 132 169 120 169 C108 169 96 166 93 156 Z',
        'avatar-jaw': 'M90 156 C92 172 105 181 120 181 C135 181 148 172 150 156 Z',
        'avatar-tongue': 'M103 179 C110 173 130 173 137 179 C140 191 131 200 120 200 C109 200 100 191 103 179 Z',
      },
    },
  },
  blink: {
    everySeconds: [2.4, 5.5],
    closeMs: 80,
    open: {
      'avatar-eye-left':
        'M86 121 C86 115 89 111 93 111 C97 111 100 115 100 121 C100 127 97 131 93 131 C89 131 86 127 86 121 Z',
      'avatar-eye-right':
        'M140 121 C140 115 143 111 147 111 C151 111 154 115 154 121 C154 127 151 131 147 131 C143 131 140 127 140 121 Z',
      'avatar-glint-left':
        'M93 116 C93 114 94 113 96 113 C98 113 99 114 99 116 C99 118 98 119 96 119 C94 119 93 118 93 116 Z',
      'avatar-glint-right':
        'M147 116 C147 114 148 113 150 113 C152 113 153 114 153 116 C153 118 152 119 150 119 C148 119 147 118 147 116 Z',
    },
    closed: {
      'avatar-eye-left':
        'M84 122 C86 125 89 127 93 127 C97 127 100 125 102 122 C100 125 97 127 93 127 C89 127 86 125 84 122 Z',
      'avatar-eye-right':
        'M138 122 C140 125 143 127 147 127 C151 127 154 125 156 122 C154 125 151 127 147 127 C143 127 140 125 138 122 Z',
      'avatar-glint-left':
        'M96 124 C96 124 96 124 96 124 C96 124 96 124 96 124 C96 124 96 124 96 124 C96 124 96 124 96 124 Z',
      'avatar-glint-right':
        'M150 124 C150 124 150 124 150 124 C150 124 150 124 150 124 C150 124 150 124 150 124 C150 124 150 124 150 124 Z',
    },
  },
};
