import SwiftletEngine

extension SixteenBitFloat {
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
  static func sixteenBitFloats<Element: SixteenBitFloat>(_ type: Element.Type, _ function: UnaryLoop) -> UnaryLoop {
    UnaryLoop(type.widening, function, type.narrowing)
  }

  /// Three loops as one; what they hand on are elements of 4 bytes.
  init(_ first: UnaryLoop, _ second: UnaryLoop, _ third: UnaryLoop) {
    self.init(inputBytes: first.inputBytes, resultBytes: third.resultBytes) { input, result, count in
      // Few enough to lie on the stack.
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { buffer in
        guard let elements = buffer.baseAddress.map({ UnsafeMutableRawPointer($0) }) else { return }
        var done = 0
        while done < count {
          let part = min(buffer.count, count &- done)
          first.run(input + done &* first.inputBytes, elements, part)
          second.run(elements, elements, part)
          third.run(elements, result + done &* third.resultBytes, part)
          done &+= part
        }
      }
    }
  }
}

extension BinaryRowKernel {
  /// `kernel` on 16-bit floats: operands are widened, and results that are floats rounded once.
  static func sixteenBitFloats<Element: SixteenBitFloat>(
    _ type: Element.Type, _ kernel: some BinaryKernel, roundsResult: Bool = true
  ) -> BinaryRowKernel {
    BinaryRowKernel(
      left: type.widening, right: type.widening, kernel.rowKernel, result: roundsResult ? type.narrowing : nil)
  }
}
