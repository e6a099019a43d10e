// CPUID and XGETBV, which neither Swift nor a plain C function can express.
#if defined(__x86_64__) && (defined(__ELF__) || defined(__APPLE__))
#include "assembly.h"

// void swiftlet_cpuid(uint32_t leaf, uint32_t subleaf, swiftlet_cpuid_registers *registers)
  KERNEL swiftlet_cpuid
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
  KERNEL_END swiftlet_cpuid

// uint64_t swiftlet_xgetbv(uint32_t index)
  KERNEL swiftlet_xgetbv
  movl %edi, %ecx
  xgetbv
  shlq $32, %rdx
  orq %rdx, %rax
  retq
  KERNEL_END swiftlet_xgetbv

  ELF(.section .note.GNU-stack, "", @progbits)
#endif
