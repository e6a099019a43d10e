#if arch(x86_64) && !os(Windows)
  import SwiftletBase
  internal import SwiftletKernelSets

  /// What the instruction CPUID answers, by leaf and part.
  ///
  /// In a virtual machine every question leaves it, for some ten microseconds: six of them are a tenth of a small
  /// model's start. glibc asks the same at the start of every process and keeps the answers.
  enum CPUIDLeaves {
    /// Returns the processor's own answer.
    static func asked(_ leaf: UInt32, _ part: UInt32) -> swiftlet_cpuid_registers {
      var registers = swiftlet_cpuid_registers()
      swiftlet_cpuid(leaf, part, &registers)
      return registers
    }

    /// Returns the answer that the C library has kept; `nil` if it keeps none.
    static func kept(_ leaf: UInt32, _ part: UInt32) -> swiftlet_cpuid_registers? {
      #if os(Linux) && canImport(Glibc)
        guard let feature = featureLeaf else { return nil }
        switch (leaf, part) {
        // It has no entry for how many leaves there are. Those that the processor lacks are zero, which is all that
        // the number is asked for.
        case (0, 0): return swiftlet_cpuid_registers(eax: 7, ebx: 0, ecx: 0, edx: 0)
        case (0x8000_0000, 0): return swiftlet_cpuid_registers(eax: 0x8000_0001, ebx: 0, ecx: 0, edx: 0)
        // The numbers of its entries are part of its binary interface.
        case (1, 0): return registers(feature(0))
        case (7, 0): return registers(feature(1))
        case (0x8000_0001, 0): return registers(feature(2))
        case (7, 1): return registers(feature(6))
        default: return nil
        }
      #else
        return nil
      #endif
    }

    #if os(Linux) && canImport(Glibc)
      private typealias FeatureLeaf = @convention(c) (UInt32) -> UnsafePointer<UInt32>?

      /// The function behind glibc's macros for features of the processor, which version 2.33 brought.
      private static let featureLeaf: FeatureLeaf? = {
        guard let symbol = dlsym(nil, "__x86_get_cpuid_feature_leaf") else { return nil }
        return unsafeBitCast(symbol, to: FeatureLeaf.self)
      }()

      /// Returns the first four words of an entry are the registers.
      private static func registers(_ entry: UnsafePointer<UInt32>?) -> swiftlet_cpuid_registers? {
        entry.map { swiftlet_cpuid_registers(eax: $0[0], ebx: $0[1], ecx: $0[2], edx: $0[3]) }
      }
    #endif
  }
#endif
