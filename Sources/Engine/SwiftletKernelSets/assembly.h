// The differences between the assemblers for ELF (Linux, Android, BSD) and for Mach-O (macOS, iOS, tvOS, visionOS).
#pragma once

#if defined(__APPLE__)
// A symbol with its C name, and a label that isn't kept in the object file.
#define SYMBOL(name) _##name
#define L(name) L##name
#define HIDDEN(name) .private_extern _##name
// A separate section for a function, and a section for constants, with the arguments of ELF.
#define CODE(...) .section __TEXT,__text,regular,pure_instructions
#define CONSTANTS(...) .section __TEXT,__const
// The upper and lower parts of a label's address.
#define PAGE(label) label@PAGE
#define OFFSET(label) label@PAGEOFF
// Directives that exist only in ELF: types and sizes of symbols.
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
