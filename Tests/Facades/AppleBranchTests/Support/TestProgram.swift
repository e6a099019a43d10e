import Testing

/// The program that runs these tests. SwiftPM's own test runner cannot use stubs of Apple's modules.
@main
struct TestProgram {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
