// CPUID and XGETBV, which neither Swift nor a plain C function can express.
#if defined(__x86_64__) && (defined(__ELF__) || defined(__APPLE__))
#include "assembly.h"

  .text

// void swiftlet_cpuid(uint32_t leaf, uint32_t subleaf, swiftlet_cpuid_registers *registers)
  .globl SYMBOL(swiftlet_cpuid)
  HIDDEN(swiftlet_cpuid)
  ELF(.type swiftlet_cpuid, @function)
SYMBOL(swiftlet_cpuid):
  movq %rbx, %r8
  movq %rdx, %r9
  movl %edi, %eax
  movl %esi, %ecx
  cpuid
  movl %eax, 0(%r9)
  movl %ebx, 4(%r9)
  movl %ecx, 8(%r9)
  movl %edx, 12(%r9)
  movq %r8, %rbx
  retq
  ELF(.size swiftlet_cpuid, .-swiftlet_cpuid)

// uint64_t swiftlet_xgetbv(uint32_t index)
  .globl SYMBOL(swiftlet_xgetbv)
  HIDDEN(swiftlet_xgetbv)
  ELF(.type swiftlet_xgetbv, @function)
SYMBOL(swiftlet_xgetbv):
  movl %edi, %ecx
  xgetbv
  shlq $32, %rdx
  orq %rdx, %rax
  retq
  ELF(.size swiftlet_xgetbv, .-swiftlet_xgetbv)

  ELF(.section .note.GNU-stack, "", @progbits)
#endif
