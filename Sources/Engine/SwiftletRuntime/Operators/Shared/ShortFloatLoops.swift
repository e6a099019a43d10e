extension ShortFloat {
  /// The numbers in single precision.
  static var widening: UnaryLoop {
    UnaryLoop(inputBytes: MemoryLayout<Self>.stride, resultBytes: MemoryLayout<Float>.stride) { input, result, count in
      let input = input.assumingMemoryBound(to: Self.self)
      let result = result.assumingMemoryBound(to: Float.self)
      for index in 0..<count { result[index] = input[index].floatValue }
    }
  }

  /// Numbers in single precision, rounded.
  static var narrowing: UnaryLoop {
    UnaryLoop(inputBytes: MemoryLayout<Float>.stride, resultBytes: MemoryLayout<Self>.stride) { input, result, count in
      let input = input.assumingMemoryBound(to: Float.self)
      let result = result.assumingMemoryBound(to: Self.self)
      for index in 0..<count { result[index] = Self(input[index]) }
    }
  }
}

extension UnaryLoop {
  /// A function of floats on 16-bit floats, computed in single precision and rounded once.
  static func shortFloats<Element: ShortFloat>(_ type: Element.Type, _ function: UnaryLoop) -> UnaryLoop {
    let (widening, narrowing) = (type.widening, type.narrowing)
    return UnaryLoop(inputBytes: widening.inputBytes, resultBytes: narrowing.resultBytes) { input, result, count in
      // Few enough to lie on the stack.
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 256) { floats in
        guard let numbers = floats.baseAddress.map({ UnsafeMutableRawPointer($0) }) else { return }
        var first = 0
        while first < count {
          let part = min(floats.count, count &- first)
          widening.run(input + first &* widening.inputBytes, numbers, part)
          function.run(numbers, numbers, part)
          narrowing.run(numbers, result + first &* narrowing.resultBytes, part)
          first &+= part
        }
      }
    }
  }
}

extension BinaryRowKernel {
  /// `kernel` on 16-bit floats: operands are widened, and results that are floats rounded once.
  static func shortFloats<Element: ShortFloat>(
    _ type: Element.Type, _ kernel: some BinaryKernel, roundsResult: Bool = true
  ) -> BinaryRowKernel {
    BinaryRowKernel(
      left: type.widening, right: type.widening, kernel.rowKernel, result: roundsResult ? type.narrowing : nil)
  }
}
