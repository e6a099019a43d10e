// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Serve",
  platforms: [.macOS(.v13)],
  dependencies: [.package(path: "../swiftlet")],
  targets: [
    .executableTarget(name: "Serve", dependencies: [.product(name: "Swiftlet", package: "swiftlet")])
  ]
)
