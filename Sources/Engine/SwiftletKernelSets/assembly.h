// The differences between the assemblers for ELF (Linux, Android, BSD) and for Mach-O (macOS, iOS, tvOS, visionOS).
#pragma once

// The alignment of functions, as a power of two.
#if defined(__x86_64__)
#define ALIGNMENT 4
#else
#define ALIGNMENT 2
#endif

#if defined(__APPLE__)
// A label that isn't kept in the object file.
#define L(name) L##name
// A section for constants, with the arguments of ELF.
#define CONSTANTS(...) .section __TEXT,__const
// The upper and lower parts of a label's address.
#define PAGE(label) label@PAGE
#define OFFSET(label) label@PAGEOFF
// Directives that exist only in ELF.
#define ELF(...)
// The beginning and the end of a function that is hidden from other programs.
.macro KERNEL name
.section __TEXT,__text,regular,pure_instructions
.private_extern _\name
.globl _\name
.p2align ALIGNMENT
_\name:
.endm
.macro KERNEL_END name
.endm
#else
#define L(name) .L##name
#define CONSTANTS(...) .section __VA_ARGS__
#define PAGE(label) label
#define OFFSET(label) :lo12:label
#define ELF(...) __VA_ARGS__
// Each function has a section, which the linker drops if it isn't used.
.macro KERNEL name
.section .text.\name,"ax",@progbits
.hidden \name
.globl \name
.p2align ALIGNMENT
.type \name,@function
\name:
.endm
.macro KERNEL_END name
.size \name,.-\name
.endm
#endif
