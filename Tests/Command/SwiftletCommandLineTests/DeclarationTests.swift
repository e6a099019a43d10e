import Foundation
import SwiftletBase
import Testing

@testable import SwiftletCommandLine

@Suite("Declarations and files of a command line")
struct DeclarationTests {
  @Test("a declaration has the documented defaults")
  func defaults() {
    let plain = CommandDeclaration(name: "c", summary: "s")
    #expect(plain.operands == "" && plain.operandCount == 0...0 && plain.operandKinds.isEmpty && plain.options.isEmpty)
    #expect(plain.notes == "" && plain.examples.isEmpty && plain.actions.isEmpty && plain.operandKind(at: 0) == nil)
    let actions = CommandDeclaration(
      name: "c", summary: "s", actions: [.init("a", "h"), .init("b", "h", operands: "Y…", operandCount: 1...2)])
    #expect(actions.operands == "a|b" && actions.operandCount == 1...Int.max)
    #expect(actions.actions.map(\.usage) == ["a", "b Y…"] && actions.actions[0].operandKind == .text)
    #expect(actions.actions[0].operandCount == 0...0)
  }

  @Test("the last kind of operand applies to all further ones")
  func operandKinds() {
    let command = CommandDeclaration(
      name: "c", summary: "s", operandKinds: [.folder, .integer(1...2), .text])
    #expect((0..<5).map(command.operandKind) == [.folder, .integer(1...2), .text, .text, .text])
  }

  @Test("each kind of value has its own placeholder")
  func standardNames() {
    let kinds: [ValueKind] = [
      .file(".x"), .folder, .choice(["a", "b"]), .integer(0...1), .number(0...1), .command, .text,
    ]
    #expect(kinds.map(\.standardName) == ["FILE", "DIR", "a|b", "N", "X", "COMMAND", "TEXT"])
    #expect(ValueKind.image == .file(suffixes: [".png", ".jpg", ".jpeg"], names: []))
    #expect(ValueKind.file(".a", orOneOf: ["n"]) == .file(suffixes: [".a"], names: ["n"]))
    #expect(OptionDeclaration.value("o", .folder, "h").usage == "--o DIR")
    #expect(OptionDeclaration.value("o", .folder, as: "WHERE", "h").usage == "--o WHERE")
    #expect(OptionDeclaration.flag("o", "h").usage == "--o" && OptionDeclaration.value("o", "V", "h").usage == "--o V")
    #expect(
      !OptionDeclaration.value("o", "V", "h").isRepeatable && OptionDeclaration.value("o", "V", "h").kind == .text)
    #expect(OptionDeclaration.value("o", "V", "h", isRepeatable: true).isRepeatable)
    #expect(OptionDeclaration.flag("o", "h").kind == nil && !OptionDeclaration.value("o", .text, "h").isRepeatable)
    #expect(ProgramDeclaration.commonOptions.map(\.name) == ["help", "version"])
  }

  @Test("files, directories, commands, and text are checked on use")
  func anyText() {
    for kind in [ValueKind.file(".png"), .folder, .command, .text] { #expect(kind.problem(with: "anything") == nil) }
    #expect(ValueKind.integer(-2...3).problem(with: "-2") == nil && ValueKind.integer(-2...3).problem(with: "3") == nil)
    #expect(ValueKind.integer(-2...3).problem(with: "4") == "takes a whole number from -2 to 3, got '4'")
    #expect(ValueKind.integer(-2...3).problem(with: "-3") == "takes a whole number from -2 to 3, got '-3'")
    let limit = Float.greatestFiniteMagnitude
    #expect(ValueKind.number(-limit...1).problem(with: "2") == "takes a number, got '2'")
  }

  @Test("operands are counted by command and by action", arguments: [(0, false), (1, true), (2, true), (3, false)])
  func operandCounts(count: Int, isTaken: Bool) {
    let command = CommandDeclaration(name: "c", summary: "s", operands: "X…", operandCount: 1...2)
    let words = (0..<count).map { "w\($0)" }
    #expect(((try? Arguments(words, for: command)) != nil) == isTaken)
    let action = CommandDeclaration(
      name: "c", summary: "s", actions: [.init("a", "h", operands: "X…", operandCount: 1...2)])
    #expect(((try? Arguments(["a"] + words, for: action)) != nil) == isTaken)
  }

  @Test("error messages of wrong command lines")
  func messages() {
    let command = CommandDeclaration(
      name: "c", summary: "s", operands: "X", operandCount: 1...1,
      options: [.value("size", .integer(1...9), "h"), .flag("on", "h")])
    func message(_ words: String..., for declaration: CommandDeclaration? = nil) -> String {
      do {
        _ = try Arguments(words, for: declaration ?? command)
        return "taken"
      } catch {
        return error.message
      }
    }
    #expect(message() == "c takes X, nothing was given")
    #expect(message("a", "b") == "c takes X, 2 were given: unexpected argument 'b'")
    #expect(message("a", "-x") == "unknown option '-x'; options are long, such as --size")
    #expect(
      message("a", "-x", for: CommandDeclaration(name: "d", summary: ""))
        == "unknown option '-x'; options are long, such as --help")
    #expect(message("a", "--sise", "1") == "c has no option '--sise'; did you mean --size?")
    #expect(message("a", "--other") == "c has no option '--other'")
    #expect(message("a", "--on=1") == "--on takes no value" && message("a", "--size") == "--size needs a value: N")
    #expect(message("a", "--size", "1", "--size=2") == "--size is given more than once")
    #expect(
      message("a", "--on", "--on") == "taken"
        && message("a", "--size=") == "--size takes a whole number from 1 to 9, got ''")
    #expect(
      message("x", for: CommandDeclaration(name: "d", summary: ""))
        == "d takes no operands, 1 were given: unexpected argument 'x'")
  }

  @Test("an option is identified by its name, and its first value counts")
  func access() throws {
    let command = CommandDeclaration(
      name: "c", summary: "s", options: [.value("in", .text, "h", isRepeatable: true), .flag("on", "h")])
    let arguments = try Arguments(["--in", "a", "--in", "b"], for: command)
    #expect(arguments.takes("in") && arguments.takes("on") && !arguments.takes("out"))
    #expect(arguments.string("in") == "a" && arguments.strings("in") == ["a", "b"] && arguments.flag("in"))
    #expect(!arguments.flag("on") && arguments.string("on") == nil && arguments.action == nil)
  }

  // MARK: Suggestions

  @Test("a third of the letters may differ, and one letter of a short word")
  func edits() {
    func nearest(_ word: String, _ candidates: String...) -> String? { Suggestion.nearest(to: word, in: candidates) }
    #expect(nearest("abcdef", "abcdxy") == "abcdxy" && nearest("abcdef", "abcxyz") == nil)
    #expect(nearest("ab", "ax") == "ax" && nearest("ab", "xy") == nil && nearest("abcde", "abxye") == nil)
    // Swapped neighbors are one edit, other swapped letters two; insertions and deletions one.
    #expect(nearest("abc", "bac") == "bac" && nearest("abc", "acb") == "acb" && nearest("abc", "cba") == nil)
    #expect(nearest("abc", "abxc") == "abxc" && nearest("abc", "ab") == "ab" && nearest("abc", "abxyc") == nil)
    // The first of several equally near candidates; then one that begins with the word, then one that contains it.
    #expect(nearest("abc", "abd", "abe") == "abd" && nearest("abc", "xxabcxx", "abcdefg") == "abcdefg")
    #expect(
      nearest("abc", "xxabcxx") == "xxabcxx" && nearest("ab", "xxabxx") == nil && nearest("ab", "abxxx") == "abxxx")
    #expect(nearest("abc", "zzabczz", "yyabcyy") == "zzabczz" && nearest("ABC", "abc") == "abc")
  }

  // MARK: Shells

  @Test("words are quoted, names become identifiers, and suffixes match in both cases")
  func shellWords() {
    #expect(Shell.quoted("it's") == #"'it'\''s'"# && Shell.quoted("") == "''")
    #expect(Shell.identifier("my-tool 2é") == "my_tool_2_" && Shell.anyCase(".p9g") == ".[pP]9[gG]")
    #expect(Shell.allCases.map(\.rawValue) == ["bash", "zsh", "fish"])
  }

  /// Returns the FNV-1a hash of a text. The expected values were recorded from the scripts, which real shells run in
  /// the end-to-end tests. After a change, run these tests and record the new value.
  private static func digest(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  @Test("scripts equal the recorded ones", arguments: Shell.allCases)
  func scripts(shell: Shell) {
    let expected: [Shell: UInt64] = [
      .bash: 10_988_493_538_585_198_391, .zsh: 16_492_193_292_941_173_385, .fish: 6_675_760_340_545_094_461,
    ]
    let found = Self.digest(shell.completions(for: SampleProgram.complete))
    #expect(found == expected[shell], "\(shell): \(found)")
  }

  // MARK: Files

  /// A pipe whose ends are closed with the object.
  private final class Pipe {
    private(set) var ends: [Int32] = [-1, -1]

    init() { _ = ends.withUnsafeMutableBufferPointer { pipe($0.baseAddress) } }

    deinit { for end in ends where end >= 0 { close(end) } }

    func closeWriting() {
      close(ends[1])
      ends[1] = -1
    }
  }

  @Test("descriptors are read up to a limit and to their end, and written in full")
  func descriptors() {
    let pipe = Pipe()
    let written = [UInt8](repeating: 7, count: 3000).withUnsafeBufferPointer {
      SystemFile.writeAll($0, to: pipe.ends[1])
    }
    #expect(written == 0)
    let first = SystemFile.read(upTo: 1000, from: pipe.ends[0])
    #expect(first.bytes == [UInt8](repeating: 7, count: 1000) && first.error == 0)
    #expect(SystemFile.read(upTo: 0, from: pipe.ends[0]).bytes.count == 1)
    #expect(SystemFile.read(upTo: 5000, from: pipe.ends[0]).bytes.count == 1999)
    pipe.closeWriting()
    let end = SystemFile.read(upTo: 10, from: pipe.ends[0])
    #expect(end.bytes.isEmpty && end.error == 0)
    let bad = SystemFile.read(upTo: 10, from: -1)
    #expect(bad.bytes.isEmpty && bad.error == EBADF && SystemFile.describe(EBADF).contains("descriptor"))
    #expect([UInt8(1)].withUnsafeBufferPointer { SystemFile.writeAll($0, to: -1) } == EBADF)
    #expect([UInt8]().withUnsafeBufferPointer { SystemFile.writeAll($0, to: -1) } == 0)
  }

  @Test("a temporarily blocked pipe is waited for")
  func nonBlocking() async {
    let pipe = Pipe()
    for end in pipe.ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    // More than a pipe holds, so that both sides have to wait for each other.
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let descriptor = pipe.ends[1]
    let writer = Thread {
      _ = bytes.withUnsafeBufferPointer { SystemFile.writeAll($0, to: descriptor) }
    }
    writer.start()
    var read: [UInt8] = []
    while read.count < bytes.count {
      let (more, error) = SystemFile.read(upTo: 1 << 16, from: pipe.ends[0])
      guard error == 0, !more.isEmpty else { break }
      read += more
    }
    #expect(read == bytes)
  }

  @Test("files that cannot be written keep their contents, and leave no other files behind")
  func atomicFiles() throws {
    let folder = NSTemporaryDirectory() + "swiftlet-atomic-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func reason(_ path: String) -> String {
      do {
        try AtomicFile.write([1], to: path)
        return "written"
      } catch {
        return error.reason
      }
    }
    #expect(reason("") == "not a file name" && reason("a\0b") == "not a file name" && reason(folder) == "is a folder")
    #expect(reason(folder + "/no/file") == SystemFile.describe(ENOENT))
    let error = #expect(throws: AtomicFile.Failure.self) { try AtomicFile.write([], to: folder) }
    #expect(error?.description == folder + ": cannot be written: is a folder")
    // A name without a directory is in the current directory: written and removed here.
    let name = "swiftlet-atomic-" + UUID().uuidString
    try AtomicFile.write([5], to: name)
    #expect(FileManager.default.contents(atPath: name) == Data([5]))
    try FileManager.default.removeItem(atPath: name)
    // A new file has the default permissions, a replaced one keeps its own.
    let path = folder + "/f"
    try AtomicFile.write([1], to: path)
    #expect(FileManager.default.createFile(atPath: folder + "/g", contents: nil))
    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(path) == permissions(folder + "/g"))
    try FileManager.default.setAttributes([.posixPermissions: 0o7640 & 0o777], ofItemAtPath: path)
    try AtomicFile.write([2], to: path)
    #expect(try permissions(path) == 0o640)
    // A dangling link is replaced.
    try FileManager.default.createSymbolicLink(atPath: folder + "/l", withDestinationPath: "nowhere")
    #expect(reason(folder + "/l") == "written" && FileManager.default.contents(atPath: folder + "/l") == Data([1]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["f", "g", "l"])
  }

  @Test("a nonexistent path is missing, a path through a file too, and a path that is too long is not searched")
  func missingFiles() {
    #expect(
      MissingFile.isMissing("/dev/null/x") && MissingFile.isMissing("/nowhere") && !MissingFile.isMissing("/dev/null"))
    #expect(MissingFile.isMissing("a\0"))
    #expect(MissingFile.nearest(to: "/dve/null") == "/dev/null" && MissingFile.nearest(to: "/dev/null") == nil)
    #expect(MissingFile.nearest(to: "/dve/" + String(repeating: "x/", count: 2045)) != nil)
    #expect(MissingFile.nearest(to: "/dve/" + String(repeating: "x/", count: 2046)) == nil)
  }

  @Test("lines can have the maximum length, not counting their end")
  func longLines() throws {
    var splitter = LineSplitter(longest: 3)
    splitter.append(Array("abc\nabc".utf8))
    #expect(
      try splitter.next() == "abc" && splitter.next() == nil && splitter.rest() == "abc" && splitter.rest() == nil)
    var long = LineSplitter(longest: 3)
    long.append(Array("abcd".utf8))
    let error = #expect(throws: LineSplitter.LineTooLong.self) { try long.next() }
    #expect(error?.description == "a line has more than the 3 bytes that it may have")
    var ended = LineSplitter(longest: 3)
    ended.append(Array("abc\r\n".utf8))
    #expect(throws: LineSplitter.LineTooLong.self) { try ended.next() }
  }
}
