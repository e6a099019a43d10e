import Foundation
import SwiftletCommandLine
import SwiftletVision

/// One of a batch's operands.
struct Operand: Sendable {
  var name: String
  /// The reason why the operand is rejected.
  var refusal: (any Error)?
}

/// The operands of a batch: operands of the command line, and lines of standard input as they arrive.
struct Operands: AsyncSequence, Sendable {
  enum Part: Sendable {
    case operand(String)
    /// The lines of standard input.
    case lines
  }

  /// The maximum length of a line of standard input, in bytes.
  private static let maximumLine = 1 << 26

  var parts: [Part]
  /// Whether an empty line is an operand.
  var takesEmptyLines = false
  /// A closure that is called for each operand in order, before the operand is processed. If it throws, the operand
  /// fails with its error.
  var admit: @Sendable (String) throws -> Void = { _ in }

  /// Whether the result is a list, even if it turns out to have a single element.
  var isList: Bool { parts.count > 1 || readsLines }

  /// Whether operands come from standard input.
  var readsLines: Bool { parts.contains { if case .lines = $0 { true } else { false } } }

  /// The number of operands, or `nil` if it is unknown.
  var total: Int? { readsLines ? nil : parts.count }

  func makeAsyncIterator() -> Iterator { Iterator(operands: self, parts: parts[...]) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let operands: Operands
    fileprivate var parts: ArraySlice<Part>
    /// The part of standard input that was read but not returned; `nil` while standard input isn't being read.
    private var lines: LineSplitter?
    /// Waits for standard input on a thread of its own.
    private let reader = WorkQueue("swiftlet.tool.input")

    fileprivate init(operands: Operands, parts: ArraySlice<Part>) {
      self.operands = operands
      self.parts = parts
    }

    mutating func next() async throws -> Operand? {
      while true {
        if let line = try await nextLine() { return operand(line) }
        switch parts.popFirst() {
        case nil: return nil
        case .operand(let name): return operand(name)
        case .lines: lines = LineSplitter(longest: Operands.maximumLine)
        }
      }
    }

    private mutating func nextLine() async throws -> String? {
      // The lines are changed in place: a second reference to their bytes would copy all of them for each piece.
      while lines != nil {
        do throws(LineSplitter.LineTooLong) {
          while let line = try lines?.next() {
            if !line.isEmpty || operands.takesEmptyLines { return line }
          }
        } catch {
          throw ToolError(file: "standard input", reason: error.description)
        }
        if let bytes = try await reader.value(of: { try StandardStreams.input(upTo: 1 << 16) }) {
          lines?.append(bytes)
        } else {
          defer { lines = nil }
          return lines?.rest()
        }
      }
      return nil
    }

    private func operand(_ name: String) -> Operand {
      do {
        try operands.admit(name)
        return Operand(name: name)
      } catch {
        return Operand(name: name, refusal: error)
      }
    }
  }
}
