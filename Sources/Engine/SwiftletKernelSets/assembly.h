// What differs between the assemblers of ELF (Linux, Android, BSD) and of Mach-O (macOS, iOS, tvOS, visionOS).
#pragma once

#if defined(__APPLE__)
// A symbol as C names it, and a label that no object file keeps.
#define SYMBOL(name) _##name
#define L(name) L##name
#define HIDDEN(name) .private_extern _##name
// A section of its own for a function, or one of constants, in the words of ELF.
#define CODE(...) .section __TEXT,__text,regular,pure_instructions
#define CONSTANTS(...) .section __TEXT,__const
// The address of a label, upper and lower part.
#define PAGE(label) label@PAGE
#define OFFSET(label) label@PAGEOFF
// What only ELF has: types and sizes of symbols.
#define ELF(...)
#else
#define SYMBOL(name) name
#define L(name) .L##name
#define HIDDEN(name) .hidden name
#define CODE(...) .section __VA_ARGS__
#define CONSTANTS(...) .section __VA_ARGS__
#define PAGE(label) label
#define OFFSET(label) :lo12:label
#define ELF(...) __VA_ARGS__
#endif
